// A kernel's header with values put in -> grid, block, filled buffers and arguments.
#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "core/free_memory.h"
#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/buffer_text.h"
#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/fill.h"
#include "instrumentation/catalog/images.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/catalog/launch_parts.h"
#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

// CUDA programming guide, "Technical Specifications per Compute Capability": the same for 7.0 to 12.0, but
// for shared memory, where the largest of them stands.
constexpr std::array<std::int64_t, 3> largest_grid{0x7fffffff, 65535, 65535};
constexpr std::array<std::int64_t, 3> largest_block{1024, 1024, 64};
constexpr std::array<std::int64_t, 3> largest_cluster{16, 16, 16};
constexpr std::uint64_t most_threads = 1024;
constexpr std::int64_t most_shared_bytes = 227 * 1024;
constexpr std::int64_t most_elements = std::int64_t{1} << 44;

Result<Dim3> evaluated(Expressions& expressions, const std::vector<std::string>& texts, const char* what,
                       const std::array<std::int64_t, 3>& largest) {
    std::array<std::uint32_t, 3> extent{1, 1, 1};
    for (std::size_t i = 0; i < texts.size() && i < extent.size(); ++i) {
        const auto size = expressions.integer(texts[i], 1, largest[i]);
        if (!size) return fail("{} {}: {}", what, "xyz"[i], size.error().message);
        extent[i] = static_cast<std::uint32_t>(*size);
    }
    return Dim3{extent[0], extent[1], extent[2]};
}

/// Largest value of an integer element type, to hold `below` against.
std::int64_t largest_element(const std::string& type) {
    const unsigned bits = 8 * element_bytes(type) - (type[0] == 'i' ? 1 : 0);
    return bits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) - 1;
}

Result<FillArguments> fill_arguments(const KernelFile& kernel, const BufferDeclaration& declared,
                                     const Values& parameters, Expressions& expressions) {
    FillArguments arguments;
    if (declared.fill == "formula") {
        arguments.formula = declared.fill_argument;
        for (const auto& [name, value] : parameters) {
            const auto declaration = std::ranges::find(kernel.parameters, name, &ParameterDeclaration::name);
            if (declaration == kernel.parameters.end()) continue;
            WARPLENS_TRY(const auto seen, value_in_expressions(*declaration, value));
            arguments.names.emplace(name, seen);
        }
    } else if (declared.fill == "constant") {
        WARPLENS_TRY(const auto constant, expressions.number(declared.fill_argument));
        arguments.constant = constant;
    } else if (declared.fill == "ring") {
        const auto step = expressions.integer(declared.fill_argument, 0, most_elements);
        if (!step) return fail("step: {}", step.error().message);
        arguments.step = static_cast<std::uint64_t>(*step);
    } else if (declared.fill == "file") {
        const std::filesystem::path folder = std::filesystem::path(kernel.path).parent_path();
        arguments.file = (folder / declared.fill_argument).string();
        arguments.file_part = declared.file_part;
    } else if (!declared.fill_argument.empty()) {
        const std::int64_t largest = largest_element(declared.element_type);
        const std::int64_t most = largest == std::numeric_limits<std::int64_t>::max() ? largest : largest + 1;
        const auto below = expressions.integer(declared.fill_argument, 1, most);
        if (!below) return fail("below: {}", below.error().message);
        arguments.below = static_cast<std::uint64_t>(*below);
    }
    if (!declared.seed.empty()) {
        const auto seed = expressions.integer(declared.seed, std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max());
        if (!seed) return fail("seed: {}", seed.error().message);
        arguments.seed = static_cast<std::uint64_t>(*seed);
    }
    return arguments;
}

Status allocate(PreparedLaunch& launch, const KernelFile& kernel, Expressions& expressions,
                std::uint64_t memory_limit) {
    std::vector<std::uint64_t> sizes;
    std::uint64_t total = 0;
    std::string each;
    for (const BufferDeclaration& declared : kernel.buffers) {
        const auto length = expressions.integer(declared.length, 0, most_elements);
        if (!length) return fail("length of buffer `{}`: {}", declared.name, length.error().message);
        const std::uint32_t bytes = element_bytes(declared.element_type);
        if (bytes == 0) return fail("buffer `{}`: unknown type `{}`", declared.name, declared.element_type);
        sizes.push_back(static_cast<std::uint64_t>(*length) * bytes);
        total += sizes.back();
        each += (each.empty() ? "" : ", ") + declared.name + " " + memory_text(sizes.back());
    }
    if (total > memory_limit) {
        return fail(
            "the buffers need {} ({}), more than the limit of {} (a part of the free memory); choose smaller "
            "parameters",
            memory_text(total), each, memory_text(memory_limit));
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const BufferDeclaration& declared = kernel.buffers[i];
        PreparedBuffer& buffer = launch.buffers.emplace_back();
        buffer.name = declared.name;
        buffer.element_type = declared.element_type;
        buffer.element_bytes = element_bytes(declared.element_type);
        const auto arguments = fill_arguments(kernel, declared, launch.parameters, expressions);
        if (!arguments) return fail("fill of buffer `{}`: {}", declared.name, arguments.error().message);
        try {
            buffer.data.resize(sizes[i]);
        } catch (const std::bad_alloc&) {
            return fail("the buffers need {} ({}), more than this machine has", memory_text(total), each);
        }
        buffer.unwritten = declared.fill == "none";
        buffer.guessed_length = declared.guessed_length;
        buffer.address = declared.address;
        WARPLENS_TRY(fill_buffer(buffer, declared.fill, *arguments));
    }
    return {};
}

}  // namespace

Result<LaunchGeometry> evaluate_geometry(const std::vector<std::string>& grid_texts,
                                         const std::vector<std::string>& block_texts,
                                         const std::string& dynamic_shared_bytes, Expressions& expressions) {
    WARPLENS_TRY(const auto grid, evaluated(expressions, grid_texts, "grid", largest_grid));
    WARPLENS_TRY(const auto block, evaluated(expressions, block_texts, "block", largest_block));
    if (block.count() > most_threads) {
        return fail("a block of {} has {} threads; a block holds at most {}", to_string(block), block.count(),
                    most_threads);
    }
    const auto shared = expressions.integer(dynamic_shared_bytes, 0, most_shared_bytes);
    if (!shared) return fail("dynamic_shared_bytes: {}", shared.error().message);
    return LaunchGeometry{grid, block, static_cast<std::uint32_t>(*shared)};
}

namespace {

std::optional<std::size_t> image_named(const std::string& name, const KernelFile& kernel) {
    const auto image = std::ranges::find(kernel.images, name, &ImageDeclaration::name);
    if (image == kernel.images.end()) return std::nullopt;
    return static_cast<std::size_t>(image - kernel.images.begin());
}

/// "in" and "in + RADIUS": a buffer and bytes from its beginning; nothing for other texts.
Result<std::optional<std::pair<std::size_t, std::uint64_t>>> place_in_buffer(const std::string& text,
                                                                             const KernelFile& kernel,
                                                                             Expressions& expressions) {
    std::optional<std::pair<std::size_t, std::uint64_t>> place;
    const BufferArgument argument = parse_buffer_argument(text);
    const auto buffer = std::ranges::find(kernel.buffers, argument.name, &BufferDeclaration::name);
    if (buffer == kernel.buffers.end()) return place;
    place.emplace(static_cast<std::size_t>(buffer - kernel.buffers.begin()), 0);
    if (argument.offset.empty()) return place;
    WARPLENS_TRY(const auto length, expressions.integer(buffer->length, 0, most_elements));
    const auto offset = expressions.integer(argument.offset, 0, length);
    if (!offset) return fail("argument `{}`: {}", text, offset.error().message);
    place->second = static_cast<std::uint64_t>(*offset) * element_bytes(buffer->element_type);
    return place;
}

Result<PreparedStructure> bind_structure(const std::string& text, const KernelFile& kernel,
                                         Expressions& expressions) {
    WARPLENS_TRY(const auto aggregate, parse_aggregate(text));
    PreparedStructure structure;
    structure.bytes = aggregate.bytes;
    for (std::uint32_t i = 0; i < aggregate.contents.size(); ++i)
        structure.members.push_back(
            {i, 1, std::nullopt, std::to_integer<std::uint64_t>(aggregate.contents[i])});
    for (const AggregateMember& member : aggregate.members) {
        PreparedMember prepared{member.offset, member.bytes, std::nullopt, 0};
        if (is_image_handle(member)) {
            const auto image = image_named(member.value, kernel);
            if (!image || kernel.images[*image].is_surface != (member.type == "surface"))
                return fail("{0}={1}: there is no {0} of that name", member.type, member.value);
            prepared.image = *image;
        } else if (member.type == "ptr") {
            const auto buffer = std::ranges::find(kernel.buffers, member.value, &BufferDeclaration::name);
            if (buffer == kernel.buffers.end())
                return fail("ptr={}: there is no buffer of that name", member.value);
            prepared.buffer = static_cast<std::size_t>(buffer - kernel.buffers.begin());
        } else {
            WARPLENS_TRY(const auto value, expressions.number(member.value));
            const auto bits = bits_of_scalar(*find_scalar_type(member.type), value);
            if (!bits) return fail("{}={}: {}", member.type, member.value, bits.error().message);
            prepared.bits = *bits;
        }
        for (std::uint32_t i = 0; i < member.count; ++i) {
            structure.members.push_back(prepared);
            prepared.offset += member.bytes;
        }
    }
    return structure;
}

}  // namespace

Result<std::vector<PreparedArgument>> bind_arguments(const std::vector<std::string>& texts,
                                                     const KernelFile& kernel, Expressions& expressions) {
    std::vector<PreparedArgument> arguments;
    for (const std::string& text : texts) {
        PreparedArgument& argument = arguments.emplace_back();
        // An image's own buffer bears its name, too.
        argument.image = image_named(text, kernel);
        if (argument.image) continue;
        WARPLENS_TRY(const auto place, place_in_buffer(text, kernel, expressions));
        if (place) {
            argument.buffer = place->first;
            argument.offset = place->second;
            continue;
        }
        if (is_aggregate(text)) {
            auto structure = bind_structure(text, kernel, expressions);
            if (!structure) return fail("argument {}: {}", arguments.size(), structure.error().message);
            argument.structure = std::move(*structure);
            continue;
        }
        const auto typed = parse_typed_scalar(text);
        const auto parameter = std::ranges::find(kernel.parameters, text, &ParameterDeclaration::name);
        const bool is_parameter = parameter != kernel.parameters.end();
        // A parameter named like a Lua keyword is not an expression by that name.
        const Result<Value> value = expressions.number(is_parameter ? lua_name(text)
                                                       : typed      ? typed->expression
                                                                    : text);
        if (!value) return fail("argument {}: {}", arguments.size(), value.error().message);
        argument.scalar = *value;
        if (is_parameter) argument.type = parameter->type;
        else if (typed) argument.type = typed->type->name;
        const ScalarType* const type = find_scalar_type(argument.type);
        if (!type) continue;
        if (const auto bits = bits_of_scalar(*type, *value); !bits)
            return fail("argument {}, {} = {}: {}", arguments.size(), text, to_string(*value),
                        bits.error().message);
    }
    return arguments;
}

Result<PreparedLaunch> prepare_launch(const KernelFile& kernel, const Values& parameters,
                                      std::uint64_t memory_limit) {
    if (!kernel.has_header) {
        return fail("{}: the file has no header that declares its launch; give grid, block and arguments",
                    kernel.name);
    }
    WARPLENS_TRY(auto expressions, Expressions::over(kernel, parameters));
    PreparedLaunch launch;
    launch.parameters = parameters;
    const auto geometry =
        evaluate_geometry(kernel.grid, kernel.block, kernel.dynamic_shared_bytes, expressions);
    if (!geometry) return fail("{}: {}", kernel.name, geometry.error().message);
    launch.geometry = *geometry;
    launch.geometry.cooperative = kernel.cooperative;
    const auto cluster = evaluated(expressions, kernel.cluster, "cluster", largest_cluster);
    if (!cluster) return fail("{}: {}", kernel.name, cluster.error().message);
    launch.geometry.cluster = *cluster;
    auto arguments = bind_arguments(kernel.arguments, kernel, expressions);
    if (!arguments) return fail("{}: {}", kernel.name, arguments.error().message);
    launch.arguments = std::move(*arguments);
    const Status status = allocate(launch, kernel, expressions, memory_limit);
    if (!status) return fail("{}: {}", kernel.name, status.error().message);
    auto images = prepare_images(kernel, expressions, launch);
    if (!images) return fail("{}: {}", kernel.name, images.error().message);
    launch.images = std::move(*images);
    return launch;
}

}  // namespace warplens::instrumentation
