#include "instrumentation/catalog/host_launch.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "instrumentation/catalog/doubtful_arguments.h"
#include "instrumentation/catalog/earlier_launches.h"
#include "instrumentation/catalog/entry_signature.h"
#include "instrumentation/catalog/fill.h"
#include "instrumentation/catalog/guessed_values.h"
#include "instrumentation/catalog/host_contents.h"
#include "instrumentation/catalog/host_image.h"
#include "instrumentation/catalog/host_types.h"
#include "instrumentation/catalog/launch_relations.h"
#include "instrumentation/catalog/launched_kernels.h"
#include "instrumentation/catalog/lua_sandbox.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/compile/included_files.h"
#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace {

using host_code::Contents;
using host_code::HostArgument;
using host_code::HostCode;
using host_code::HostLaunch;
using host_code::Origin;

/// Of the 48 KiB that a block may have without being asked for; leaves some to static arrays.
constexpr std::int64_t guessed_shared_bytes = 32 * 1024;
constexpr std::int64_t shortest_guess = 64;  // elements of a buffer that a structure points to

void take_scalar(DraftArgument& row, const HostArgument& given, const std::string& from) {
    const bool is_real = is_real_type(row.scalar_type);
    if (given.kind == HostArgument::Kind::integer)
        row.value = is_real ? fmt::format("{}.0", given.integer) : std::to_string(given.integer);
    else if (given.kind == HostArgument::Kind::real && is_real && std::isfinite(given.real))
        row.value = fmt::format("{}", given.real);
    else if (const auto integer =
                 given.kind == HostArgument::Kind::real ? host_code::integer_of(given.real) : std::nullopt)
        row.value = std::to_string(*integer);
    else return;
    row.from = from;
}

/// An object without members, such as mini::plus: a byte that the kernel does not read, and no number to set.
void take_empty(DraftArgument& row, const std::string& from) {
    row.kind = DraftArgument::Kind::structure;
    row.bytes = 1;
    row.value = "struct:{u8=0}";
    row.from = from;
}

/// Whether "const uchar4*" says itself that its elements are bytes.
bool names_bytes(const std::string& written) {
    for (const char* word : {"char", "bool", "int8_t", "byte", "void"})
        if (written.find(word) != std::string::npos) return true;
    return false;
}

/// Elements of another type than the parameter's, such as the numbers in a structure.
void take_unit(DraftArgument& row, const HostArgument& given) {
    const std::string& counted = given.storage->contents.unit;
    // The parameter may be written by a name of the program's own: typedef float real.
    const bool named =
        counted.empty() && given.unit.empty() && row.element_type == "u8" && !names_bytes(row.written_type);
    const std::string unit = element_type_of(named ? given.element : counted.empty() ? given.unit : counted);
    const ScalarType *of_unit = find_scalar_type(unit), *of_row = find_scalar_type(row.element_type);
    const bool bfloat = row.written_type.find("bfloat") != std::string::npos;
    if (!of_unit || bfloat || element_bytes(unit) == 0) return;
    // Of members of several types the contents are integers, some of them bits of real numbers.
    const bool bits_of_reals =
        of_row && of_unit->bytes == 4 && is_real_type(row.element_type) && !is_real_type(unit);
    if (of_row && of_row->bytes == of_unit->bytes && !bits_of_reals) return;
    row.element_type = unit;
    // Its bound was the range of the other type.
    if (row.fill == "random" && !row.value.empty()) {
        row.fill = is_real_type(unit) ? "random" : "iota";
        row.value.clear();
    }
}

void take_buffer(DraftArgument& row, const HostArgument& given, const HostCode& code,
                 const Relations& relations) {
    if (given.kind != HostArgument::Kind::memory || !given.storage) return;
    if (is_table_of_pointers(row)) row.element_type = "u64";
    else take_unit(row, given);
    const ScalarType* const type = find_scalar_type(row.element_type);
    const std::string from = place_in_code(given.origin, given.assumed, code);
    if (given.bytes && type != nullptr && *given.bytes >= type->bytes) {
        row.length = relations.length(*given.bytes / type->bytes, given.storage->roots, type->bytes);
        row.from = from;
    }
    take_contents(row, given.storage->contents, code);
}

/// Where an argument points into a buffer, and which argument's buffer that is.
void take_place(LaunchDraft& draft, std::size_t index, const HostLaunch& launch) {
    DraftArgument& row = draft.arguments[index];
    const HostArgument& given = launch.arguments[index];
    if (given.kind != HostArgument::Kind::memory || !given.storage) return;
    std::size_t owner = index;
    for (std::size_t i = 0; i < index && owner == index; ++i)
        if (launch.arguments[i].storage == given.storage &&
            draft.arguments[i].kind == DraftArgument::Kind::buffer)
            owner = i;
    const ScalarType* const type = find_scalar_type(draft.arguments[owner].element_type);
    const std::int64_t bytes = given.offset;
    if (type == nullptr || bytes < 0 || bytes % type->bytes != 0 || (given.bytes && bytes > *given.bytes))
        return;
    if (bytes > 0) row.offset = std::to_string(bytes / type->bytes);
    if (owner == index) return;
    row.shares = draft.arguments[owner].name;
    row.contents.clear();
    row.contents_guessed = false;
}

/// "struct:{i32=96, i32=64, ptr=A_elements}" and the buffers it points to, structures in it member by member.
class StructureText {
  public:
    StructureText(const HostCode& code, bool assumed) : code_(code), assumed_(assumed) {}

    /// False: a member is not known.
    bool add(const HostArgument& given, const std::string& name, std::int64_t base) {
        for (const HostArgument& member : given.members) {
            const std::int64_t place = base + member.place;
            const std::string inner = name + "_" + member.name;
            const bool is_structure = member.kind == HostArgument::Kind::structure;
            if (is_structure ? !add(member, inner, place) : !add_member(member, inner, place)) return false;
        }
        return !given.members.empty();
    }

    /// The bytes at its end that no member has.
    std::string text(const HostArgument& given) {
        if (given.bytes && (end_ + widest_ - 1) / widest_ * widest_ < *given.bytes) pad_to(*given.bytes);
        return "struct:{" + text_ + "}";
    }

    std::vector<DraftArgument> targets;

  private:
    void pad_to(std::int64_t place) {
        if (place > end_) text_ += fmt::format("{}u8[{}]=0", text_.empty() ? "" : ", ", place - end_);
        end_ = std::max(end_, place);
    }

    bool add_member(const HostArgument& member, const std::string& name, std::int64_t place) {
        std::string text = text_of(member, name);
        const std::size_t open = member.type.find('[');
        const std::int64_t size = host_code::size_of_type(member.type.substr(0, open)).value_or(0);
        if (text.empty() || size < 1) return false;
        if ((end_ + size - 1) / size * size != place) pad_to(place);
        text_ += (text_.empty() ? "" : ", ") + text;
        end_ = place + size * (open == std::string::npos ? 1 : std::atoll(member.type.c_str() + open + 1));
        widest_ = std::max(widest_, size);
        return true;
    }

    std::string text_of(const HostArgument& member, const std::string& name) {
        if (member.type.ends_with('*')) return pointer(member, name);
        const std::string type = element_type_of(member.type);
        if (std::string elements = elements_of(member); !elements.empty()) return elements;
        if (type.empty()) return {};
        if (member.kind == HostArgument::Kind::integer) return fmt::format("{}={}", type, member.integer);
        if (member.kind == HostArgument::Kind::real && std::isfinite(member.real))
            return fmt::format("{}={}", type, member.real);
        return assumed_ ? type + "=1" : "";  // as a scalar of which nothing is known
    }

    std::string pointer(const HostArgument& member, const std::string& name) {
        const auto known = std::ranges::find_if(storages_, [&](const auto& entry) {
            return member.storage && entry.first == member.storage && member.offset == 0;
        });
        if (known != storages_.end()) return "ptr=" + known->second;
        DraftArgument target;
        target.name = name;
        target.kind = DraftArgument::Kind::buffer;
        target.element_type = element_type_of(host_code::pointed_to(member.type));
        target.written_type = member.type;
        if (target.element_type.empty()) target.element_type = "u8";
        take_buffer(target, member, code_, {});
        if (target.length.empty()) {  // fitted to the kernel's accesses
            if (member.kind != HostArgument::Kind::memory) return {};
            target.guessed = true;
            target.length = std::to_string(shortest_guess);
        }
        if (target.contents_guessed && !member.storage->contents.formula)
            target.fill = is_real_type(target.element_type) ? "random" : "iota";
        targets.push_back(std::move(target));
        if (member.offset == 0) storages_.emplace_back(member.storage, name);
        return "ptr=" + name;
    }

    const HostCode& code_;
    bool assumed_;
    std::string text_;
    std::int64_t end_ = 0, widest_ = 1;
    std::vector<std::pair<std::shared_ptr<const host_code::Storage>, std::string>> storages_;
};

/// The row stays where a member is not known.
void take_structure(LaunchDraft& draft, DraftArgument& row, const HostArgument& given, const HostCode& code) {
    if (given.kind != HostArgument::Kind::structure) return;
    if (given.bytes && row.bytes != 0 && *given.bytes != row.bytes) return;
    StructureText structure(code, given.assumed);
    if (!structure.add(given, row.name, 0)) return;
    row.value = structure.text(given);
    row.from = place_in_code(given.origin, given.assumed, code);
    std::ranges::move(structure.targets, std::back_inserter(draft.targets));
}

}  // namespace

HostCode host_code_of(const KernelFile& kernel, const std::vector<EntryFacts>& entries) {
    if (kernel.language == Language::cubin) return {};
    const auto has = [&](const char* word) { return kernel.source.find(word) != std::string::npos; };
    const bool driver = kernel.language == Language::cuda && has("cuLaunchKernel");
    if ((kernel.language != Language::cuda || !has("<<<")) && !has("cudaLaunch") && !driver) return {};
    std::vector<std::string> folders = kernel.include_paths;
    return host_code::read_host_code(source_and_headers(kernel.path, kernel.source, folders).files,
                                     kernel.defines, occupancy_of(entries));
}

namespace {

/// A guessed length is enough for the launch's threads, with four elements each, as pixels have.
void lengthen_guesses(LaunchDraft& draft, const HostLaunch& launch) {
    constexpr std::int64_t elements_per_thread = 4, most_elements = std::int64_t{1} << 26;
    std::int64_t threads = 1;
    for (const auto* extent : {&launch.grid, &launch.block})
        for (const auto& side : *extent) {
            if (!side || *side < 1 || *side > most_elements / threads) return;
            threads *= *side;
        }
    const std::int64_t needed = std::min(threads * elements_per_thread, most_elements);
    for (std::vector<DraftArgument>* rows : {&draft.arguments, &draft.targets})
        for (DraftArgument& row : *rows)
            if (has_guessed_length(row) && std::atoll(row.length.c_str()) < needed &&
                row.length.find_first_not_of("0123456789") == std::string::npos)
                row.length = std::to_string(needed);
}

}  // namespace

namespace {

/// With the values of the launch in place of guesses from names and types.
LaunchDraft followed(LaunchDraft draft, const HostLaunch& launch, const HostCode& code,
                     const std::string& text) {
    draft.from = place_in_code(launch.origin, code);
    if (launch.pass > 1)
        draft.from += fmt::format(", pass {} of {} of its loop, the largest", launch.pass, launch.passes);
    Relations relations;
    for (std::size_t i = 0; i < std::min(launch.arguments.size(), draft.arguments.size()); ++i) {
        DraftArgument& row = draft.arguments[i];
        if (row.kind != DraftArgument::Kind::scalar) continue;
        const HostArgument& given = launch.arguments[i];
        if (given.kind == HostArgument::Kind::structure && given.members.empty() &&
            element_bytes(row.scalar_type) == 1) {
            const auto& origin = given.origin.line != 0 ? given.origin : launch.origin;
            take_empty(row, place_in_code(origin, code));
            continue;
        }
        take_scalar(row, launch.arguments[i],
                    place_in_code(launch.arguments[i].origin, launch.arguments[i].assumed, code));
        if (launch.arguments[i].kind == HostArgument::Kind::integer && !is_real_type(row.scalar_type))
            relations.add(row.name, launch.arguments[i].integer, launch.arguments[i].roots);
    }
    for (std::size_t i = 0; i < std::min(launch.arguments.size(), draft.arguments.size()); ++i)
        if (draft.arguments[i].kind == DraftArgument::Kind::structure)
            take_structure(draft, draft.arguments[i], launch.arguments[i], code);
        else if (draft.arguments[i].kind == DraftArgument::Kind::image && launch.arguments[i].image)
            take_image(draft.arguments[i], *launch.arguments[i].image, relations,
                       place_in_code(launch.arguments[i].origin, code), code);
        else if (draft.arguments[i].kind == DraftArgument::Kind::buffer)
            take_buffer(draft.arguments[i], launch.arguments[i], code, relations),
                take_place(draft, i, launch);
    const auto fits = [](const auto& extent) {
        return std::ranges::all_of(extent, [](const auto& side) { return side && *side > 0; });
    };
    if (fits(launch.block)) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string guessed = ", " + draft.block[i] + ")", side = std::to_string(*launch.block[i]);
            if (draft.grid[i].ends_with(guessed))  // ceil_div(n, 256)
                draft.grid[i].replace(draft.grid[i].size() - guessed.size(), guessed.size(),
                                      ", " + side + ")");
            draft.block[i] = side;
        }
        draft.block_from = place_in_code(launch.block_origin, launch.block_assumed, code);
    }
    if (fits(launch.grid)) {
        for (std::size_t i = 0; i < 3; ++i)
            draft.grid[i] = fits(launch.block)
                                ? relations.blocks(*launch.grid[i], *launch.block[i], launch.grid_roots[i])
                                : std::to_string(*launch.grid[i]);
        draft.grid_from = place_in_code(launch.grid_origin, launch.grid_assumed, code);
    }
    lengthen_guesses(draft, launch);
    draft.shared_guessed =
        !launch.dynamic_shared_bytes && text.find("extern __shared__") != std::string::npos;
    const std::int64_t shared =
        launch.dynamic_shared_bytes.value_or(draft.shared_guessed ? guessed_shared_bytes : 0);
    if (shared >= 0) draft.dynamic_shared_bytes = std::to_string(shared);
    draft.cooperative = draft.cooperative_guessed = launch.cooperative;
    if (launch.cluster != std::array<std::int64_t, 3>{1, 1, 1})
        for (const std::int64_t side : launch.cluster) draft.cluster.push_back(std::to_string(side));
    return draft;
}

}  // namespace

LaunchDraft guess_launch(const EntryFacts& entry, const KernelFile& kernel, const HostCode& code,
                         const std::vector<EntryFacts>& entries) {
    const std::string text = text_with_headers(kernel);
    LaunchDraft draft = guess_launch(entry, text);
    const HostLaunch* const launch = launch_of(entry, code);
    if (launch == nullptr) return draft;
    draft = followed(std::move(draft), *launch, code, text);
    std::map<std::string, LaunchDraft> from_names;  // of the other kernels
    EarlierLaunches earlier(kernel, code, entries, [&](const EntryFacts& of, const HostLaunch& other) {
        const auto [known, is_new] = from_names.try_emplace(of.symbol);
        if (is_new) known->second = guess_launch(of, text);
        return followed(known->second, other, code, text);
    });
    earlier.put_into(draft, *launch);
    return draft;
}

}  // namespace warplens::instrumentation
