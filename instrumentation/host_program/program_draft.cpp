#include "instrumentation/host_program/program_draft.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/half.h"
#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/fill.h"
#include "instrumentation/catalog/image_text.h"
#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

using Kind = DraftArgument::Kind;

std::uint64_t word_at(const std::vector<std::byte>& bytes, std::size_t at, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, size);
    return word;
}

/// Empty for a number that no expression writes: an infinity or a NaN.
std::string number_text(const ScalarType& type, std::uint64_t bits) {
    if (type.kind == ScalarType::Kind::boolean) return bits != 0 ? "1" : "0";
    if (type.kind == ScalarType::Kind::unsigned_integer && bits > std::numeric_limits<std::int64_t>::max())
        return std::to_string(static_cast<std::int64_t>(bits));  // as bits_of_scalar takes it
    if (type.kind == ScalarType::Kind::unsigned_integer) return std::to_string(bits);
    if (type.kind == ScalarType::Kind::signed_integer) {
        const unsigned unused = 64 - 8 * type.bytes;
        return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    double value = 0;
    if (type.name == "f64") value = std::bit_cast<double>(bits);
    else if (type.name == "f32") value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else if (type.name == "f16") value = half_to_float(static_cast<std::uint16_t>(bits));
    else value = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    if (!std::isfinite(value)) return {};
    std::string text =
        type.name == "f64" ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

class Taking {
  public:
    Taking(LaunchDraft draft, const ProgramLaunch& launch, const ProgramContents& contents)
        : launch_(launch), contents_(contents) {
        result_.draft = std::move(draft);
        guessed_targets_ = std::exchange(result_.draft.targets, {});
        from_ = fmt::format("the program's run, line {}", launch.line);
    }

    Result<ProgramDraft> take() {
        LaunchDraft& draft = result_.draft;
        if (draft.arguments.size() != launch_.arguments.size())
            return fail("the program passes {} arguments in line {}, and the compiled kernel takes {}",
                        launch_.arguments.size(), launch_.line, draft.arguments.size());
        for (std::size_t i = 0; i < draft.arguments.size(); ++i)
            if (draft.arguments[i].kind == Kind::scalar) WARPLENS_TRY(take_scalar(i));
        const KernelFile file = names();
        WARPLENS_TRY(expressions_, Expressions::over(file, values_));
        for (std::size_t i = 0; i < draft.arguments.size(); ++i) {
            DraftArgument& row = draft.arguments[i];
            if (row.kind == Kind::image) WARPLENS_TRY(take_image(i));
            if (row.kind == Kind::buffer) WARPLENS_TRY(take_pointer(i));
            if (row.kind == Kind::structure) WARPLENS_TRY(take_structure(i));
            row.guessed = false;
            row.from = from_;
        }
        take_extents();
        follow_addresses();
        return std::move(result_);
    }

  private:
    Status take_scalar(std::size_t index) {
        DraftArgument& row = result_.draft.arguments[index];
        const std::vector<std::byte>& bytes = launch_.arguments[index].bytes;
        const ScalarType* const type = find_scalar_type(row.scalar_type);
        if (type == nullptr || type->bytes != bytes.size())
            return fail("the program passes {} bytes for {}, which is a {}", bytes.size(), row.name,
                        row.scalar_type);
        const std::string text = number_text(*type, word_at(bytes, 0, bytes.size()));
        if (text.empty()) return fail("{} is not a finite number, which a launch cannot pass", row.name);
        row.value = text;
        return {};
    }

    /// The scalars as what expressions of lengths and extents may name.
    KernelFile names() {
        KernelFile file;
        for (const DraftArgument& row : result_.draft.arguments) {
            if (row.kind != Kind::scalar) continue;
            ParameterDeclaration parameter;
            parameter.name = row.name;
            const bool real = is_real_type(row.scalar_type);
            const Value value =
                real ? Value{std::strtod(row.value.c_str(), nullptr)}
                     : Value{static_cast<std::int64_t>(std::strtoll(row.value.c_str(), nullptr, 10))};
            parameter.fallback = value;
            values_[row.name] = value;
            file.parameters.push_back(std::move(parameter));
        }
        return file;
    }

    /// The expression where it has this value, else the number.
    std::string text_of(const std::string& expression, std::uint64_t number) {
        const auto value = expressions_->integer(expression.empty() ? "1" : expression, 0,
                                                 std::numeric_limits<std::int64_t>::max());
        if (value && static_cast<std::uint64_t>(*value) == number) return expression;
        return std::to_string(number);
    }

    void take_extents() {
        LaunchDraft& draft = result_.draft;
        const auto take = [&](std::vector<std::string>& texts, Dim3 extent) {
            texts.resize(3);
            const std::uint32_t sides[] = {extent.x, extent.y, extent.z};
            for (std::size_t i = 0; i < 3; ++i) texts[i] = text_of(texts[i], sides[i]);
        };
        take(draft.grid, launch_.geometry.grid);
        take(draft.block, launch_.geometry.block);
        if (launch_.geometry.cluster.count() > 1) take(draft.cluster, launch_.geometry.cluster);
        draft.dynamic_shared_bytes =
            text_of(draft.dynamic_shared_bytes, launch_.geometry.dynamic_shared_bytes);
        draft.cooperative = launch_.geometry.cooperative;
        draft.grid_guessed = draft.block_guessed = draft.shared_guessed = draft.cooperative_guessed = false;
        draft.from = draft.grid_from = draft.block_from = from_;
    }

    Status take_pointer(std::size_t index) {
        DraftArgument& row = result_.draft.arguments[index];
        const std::vector<std::byte>& bytes = launch_.arguments[index].bytes;
        if (bytes.size() != sizeof(std::uint64_t))
            return fail("the program passes {} bytes for the pointer {}", bytes.size(), row.name);
        const std::uint64_t address = word_at(bytes, 0, bytes.size());
        row.contents.clear();
        row.contents_guessed = false;
        row.offset.clear();
        row.shares.clear();
        const auto pass_number = [&] {
            row.kind = Kind::scalar;
            row.scalar_type = "u64";
            row.value = std::to_string(address);
            return Status();
        };
        if (address == 0) return pass_number();
        const auto place = place_of(address, launch_);
        if (!place && place_of(address - 1, launch_)) {  // the end of a range
            result_.draft.linked = true;
            return pass_number();
        }
        if (!place) return fail("{} points to no memory of the device that is allocated", row.name);
        const ProgramAllocation& allocation = launch_.allocations[place->allocation];
        std::uint64_t element = std::max(element_bytes(row.element_type), 1u);
        if (place->offset % element != 0) row.element_type = "u8", element = 1;
        const std::string offset = place->offset == 0 ? "" : std::to_string(place->offset / element);
        for (const Owner& owner : owners_) {
            if (owner.allocation != place->allocation) continue;
            if (place->offset % owner.element != 0) {  // between two of its elements
                result_.draft.linked = true;
                return pass_number();
            }
            row.shares = owner.name;
            row.offset = place->offset == 0 ? "" : std::to_string(place->offset / owner.element);
            return {};
        }
        row.offset = offset;
        row.length = text_of(row.length, allocation.bytes / element);
        keep(row, {row.name, place->allocation, 0, allocation.bytes / element * element, allocation.filled});
        owners_.push_back({place->allocation, element, row.name});
        return {};
    }

    Status take_image(std::size_t index) {
        DraftArgument& row = result_.draft.arguments[index];
        const std::vector<std::byte>& bytes = launch_.arguments[index].bytes;
        const std::uint64_t handle =
            bytes.size() == sizeof(std::uint64_t) ? word_at(bytes, 0, bytes.size()) : 0;
        const auto image = std::ranges::find(launch_.images, handle, &ProgramImage::handle);
        if (image == launch_.images.end())
            return fail("{} is not a texture or surface that the program has made", row.name);
        const auto place = place_of(launch_.arena + image->offset, launch_);
        if (!place || image->bytes() > launch_.allocations[place->allocation].bytes - place->offset)
            return fail("{} reads memory that is not allocated", row.name);
        ImageText text;
        ImageDeclaration& made = text.image;
        made.name = made.buffer = text.texels.name = row.name;
        made.is_surface = image->is_surface;
        made.format = text.texels.element_type = image->format;
        made.channels = std::to_string(image->channels);
        made.width = std::to_string(image->width);
        const auto extent = [](std::uint64_t texels) { return texels == 0 ? "" : std::to_string(texels); };
        made.cube = image->cube;
        if (!image->cube) {
            made.height = extent(image->height);
            made.depth = extent(image->depth);
            made.layers = extent(image->layers);
        } else if (image->layers > 6) {
            made.layers = std::to_string(image->layers / 6);
        }
        made.filter = image->filter;
        // As a GPU does: only coordinates from 0 to 1 wrap and are mirrored.
        const bool repeats = image->address == "wrap" || image->address == "mirror";
        made.address = repeats && !image->normalised ? "clamp" : image->address;
        made.normalised = image->normalised;
        made.reads_normalised = image->reads_normalised;
        text.texels.fill = "zero";
        row.value = image_text(text);
        const ProgramAllocation& allocation = launch_.allocations[place->allocation];
        result_.buffers.push_back({row.name, place->allocation, place->offset,
                                   image->rows() * image->row_bytes(), allocation.filled, image->row_bytes(),
                                   image->pitch, !image->is_surface});
        return {};
    }

    void keep(DraftArgument& row, ProgramBuffer buffer) {
        buffer.row_bytes = buffer.pitch = buffer.bytes;
        row.fill = "zero";
        row.value.clear();
        row.written.reset();
        row.contents = buffer.filled ? "" : "not filled before the launch: 0";
        result_.buffers.push_back(std::move(buffer));
    }

    /// Word by word: a word that is the address of allocated memory is a pointer.
    Status take_structure(std::size_t index) {
        DraftArgument& row = result_.draft.arguments[index];
        const std::vector<std::byte>& bytes = launch_.arguments[index].bytes;
        for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t))
            if (std::ranges::find(launch_.images, word_at(bytes, at, sizeof(std::uint64_t)),
                                  &ProgramImage::handle) != launch_.images.end())
                return fail("{} holds a texture or surface, which a run of the program does not give",
                            row.name);
        if (row.bytes != 0 && bytes.size() != row.bytes)
            return fail("the program passes {} bytes for {}, which has {}", bytes.size(), row.name,
                        row.bytes);
        std::string members;
        bool has_pointer = false;
        constexpr std::size_t word = sizeof(std::uint64_t);
        for (std::size_t at = 0; at < bytes.size();) {
            members += members.empty() ? "" : ", ";
            const bool whole = at % word == 0 && at + word <= bytes.size();
            if (const auto place = whole ? place_of(word_at(bytes, at, word), launch_) : std::nullopt) {
                const std::string target = target_of(row, place->allocation);
                if (place->offset != 0) result_.draft.linked = true;
                members +=
                    place->offset == 0 ? "ptr=" + target : fmt::format("u64={}", word_at(bytes, at, word));
                has_pointer = true;
                at += word;
            } else {
                const std::size_t size = at % 4 == 0 && at + 4 <= bytes.size() ? 4 : 1;
                members += fmt::format("u{}={}", 8 * size, word_at(bytes, at, size));
                at += size;
            }
        }
        row.value = has_pointer ? "struct:{" + members + "}" : "bytes:" + hexadecimal(bytes);
        return {};
    }

    static std::string hexadecimal(const std::vector<std::byte>& bytes) {
        std::string text;
        for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
        return text;
    }

    /// The buffer of an allocation that a member of the row's structure points to.
    std::string target_of(const DraftArgument& row, std::size_t allocation) {
        for (const Owner& owner : owners_)
            if (owner.allocation == allocation) return owner.name;
        DraftArgument target;
        target.name = fmt::format("{}_{}", row.name, ++targets_);
        // In the order of the structure's pointers, as far as they were followed.
        const auto guessed = std::ranges::find_if(
            guessed_targets_, [&](const DraftArgument& one) { return one.name.starts_with(row.name + "_"); });
        if (guessed != guessed_targets_.end()) {
            const std::uint64_t element = std::max(element_bytes(guessed->element_type), 1u);
            if (launch_.allocations[allocation].bytes % element == 0) target = std::move(*guessed);
            guessed_targets_.erase(guessed);
        }
        add_target(std::move(target), allocation);
        return owners_.back().name;
    }

    /// A buffer that is a whole allocation and no argument.
    void add_target(DraftArgument target, std::size_t index) {
        const ProgramAllocation& allocation = launch_.allocations[index];
        if (target.element_type.empty()) target.element_type = allocation.bytes % 4 == 0 ? "u32" : "u8";
        const std::uint64_t element = std::max(element_bytes(target.element_type), 1u);
        target.kind = Kind::buffer;
        target.contents_guessed = false;
        target.guessed = false;
        target.from = from_;
        target.length = std::to_string(allocation.bytes / element);
        keep(target, {target.name, index, 0, allocation.bytes, allocation.filled});
        owners_.push_back({index, element, target.name});
        result_.draft.targets.push_back(std::move(target));
    }

    /// Memory that addresses in memory lead to. All stays where the program has it, so that they hold, and so
    /// does what the kernel stores of them.
    void follow_addresses() {
        std::vector<std::size_t> known;
        for (const Owner& owner : owners_) known.push_back(owner.allocation);
        const auto is_variable = [&](const Owner& owner) {
            return std::ranges::find(launch_.variables, launch_.allocations[owner.allocation].offset,
                                     &ProgramVariable::offset) != launch_.variables.end();
        };
        StoredAddresses stored;
        if (contents_.memory) stored = stored_addresses(launch_, known, contents_.others, contents_.memory);
        bool& linked = result_.draft.linked;
        linked = linked || stored.any || std::ranges::any_of(owners_, is_variable);
        std::set<std::string> names;
        for (const Owner& owner : owners_) names.insert(owner.name);
        for (const DraftArgument& row : result_.draft.arguments) names.insert(row.name);
        std::map<std::string, std::size_t> used;  // by the host's name
        for (const std::size_t allocation : stored.more) {
            DraftArgument target;
            const std::string& known_as = launch_.allocations[allocation].name;
            const std::string name = known_as.empty() ? "memory" : known_as;
            do {
                const std::size_t number = used[name]++;
                target.name = number == 0 ? name : fmt::format("{}_{}", name, number);
            } while (!names.insert(target.name).second);
            add_target(std::move(target), allocation);
        }
        std::map<std::string, std::uint64_t> addresses;
        for (const Owner& owner : owners_)
            addresses[owner.name] = launch_.arena + launch_.allocations[owner.allocation].offset;
        for (auto* rows : {&result_.draft.arguments, &result_.draft.targets})
            for (DraftArgument& row : *rows)
                if (const auto lies = addresses.find(row.name);
                    lies != addresses.end() && row.kind == Kind::buffer && row.shares.empty())
                    row.address = lies->second;
    }

    const ProgramLaunch& launch_;
    const ProgramContents& contents_;
    ProgramDraft result_;
    std::string from_;
    Values values_;
    std::optional<Expressions> expressions_;  // once the scalars are known
    /// The row or target whose buffer is an allocation.
    struct Owner {
        std::size_t allocation = 0;
        std::uint64_t element = 1;  // bytes
        std::string name;
    };
    std::vector<Owner> owners_;
    std::vector<DraftArgument> guessed_targets_;  // not taken yet
    std::size_t targets_ = 0;
};

}  // namespace

Result<std::string> with_texels_of_file(const DraftArgument& row, const std::string& path) {
    WARPLENS_TRY(auto text, parse_image_text(row.value, row.name));
    text.texels.fill = "file";
    text.texels.fill_argument = path;
    return image_text(text);
}

Result<ProgramDraft> with_program_launch(LaunchDraft guessed, const ProgramLaunch& launch,
                                         const ProgramContents& contents) {
    return Taking(std::move(guessed), launch, contents).take();
}

}  // namespace warplens::instrumentation
