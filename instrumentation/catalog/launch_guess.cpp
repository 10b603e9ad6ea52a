// What a launch may look like, from the names and types of a kernel's parameters alone.
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "instrumentation/catalog/entry_signature.h"
#include "instrumentation/catalog/fill.h"
#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/catalog/lua_sandbox.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/host_code/assumed_sizes.h"

namespace warplens::instrumentation {

namespace {

using host_code::SizeRole;

const std::string guessed_count = std::to_string(host_code::assumed_count);  // along one dimension
const std::string guessed_side = std::to_string(host_code::assumed_side);    // of two dimensions
const std::string guessed_edge = "128";                                      // of a matrix product's three

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

bool any_of(const std::string& name, std::initializer_list<const char*> names) {
    return std::ranges::find(names, name) != names.end();
}

SizeRole role_of(const ArgumentFacts& argument) {
    if (argument.is_pointer || argument.is_structure || is_real_type(argument.scalar_type) || argument.image)
        return SizeRole::other;
    return host_code::size_role(argument.name);
}

/// Whether the launch extends along it.
bool is_extent(SizeRole role) {
    switch (role) {
        case SizeRole::count:
        case SizeRole::width:
        case SizeRole::height:
        case SizeRole::m:
        case SizeRole::n:
        case SizeRole::k:
            return true;
        case SizeRole::depth:
        case SizeRole::channels:
        case SizeRole::batch:
        case SizeRole::threads:
        case SizeRole::part:
        case SizeRole::other:
            break;
    }
    return false;
}

/// The names of what sets the launch's extent, as expressions write them.
struct Extent {
    std::string count, width, height, m, n, k;
};

Extent extent_of(const std::vector<ArgumentFacts>& arguments) {
    Extent extent;
    for (const ArgumentFacts& argument : arguments) {
        const std::string name = lua_name(argument.name);
        const auto take = [&](std::string& place) {
            if (place.empty()) place = name;
        };
        switch (role_of(argument)) {
            case SizeRole::count:
                take(extent.count);
                break;
            case SizeRole::width:
                take(extent.width);
                break;
            case SizeRole::height:
                take(extent.height);
                break;
            case SizeRole::m:
                take(extent.m);
                break;
            case SizeRole::n:
                take(extent.n);
                break;
            case SizeRole::k:
                take(extent.k);
                break;
            default:
                break;
        }
    }
    return extent;
}

struct Shape {
    std::vector<std::string> grid, block;
    std::string length;  // of every buffer
    std::string side = guessed_count;
};

Shape shape_of(const Extent& extent, std::uint64_t most_threads) {
    const bool small = most_threads != 0 && most_threads < 256;
    const std::string edge = small && most_threads < 64 ? "4" : small ? "8" : "16";
    const std::string row = small ? std::to_string(std::max<std::uint64_t>(1, most_threads)) : "256";
    const auto over = [](const std::string& extent, const std::string& block) {
        return "ceil_div(" + extent + ", " + block + ")";
    };
    if (!extent.width.empty() && !extent.height.empty())
        return {{over(extent.width, edge), over(extent.height, edge), ""},
                {edge, edge, ""},
                extent.width + " * " + extent.height,
                guessed_side};
    if (!extent.m.empty() && !extent.n.empty()) {
        const std::string& m = extent.m;
        const std::string& n = extent.n;
        const std::string& k = extent.k;
        const std::string length =
            k.empty() ? m + " * " + n
                      : "max(" + m + " * " + n + ", " + n + " * " + k + ", " + m + " * " + k + ")";
        return {{over(n, edge), over(m, edge), ""}, {edge, edge, ""}, length, guessed_edge};
    }
    std::string count = extent.count;
    for (const std::string* other : {&extent.n, &extent.width, &extent.m, &extent.height})
        if (count.empty()) count = *other;
    if (!count.empty()) return {{over(count, row), "", ""}, {row, "", ""}, count, guessed_count};
    const std::string length =
        small ? std::to_string(64 * std::max<std::uint64_t>(1, most_threads)) : "16384";
    return {{"64", "", ""}, {row, "", ""}, length, guessed_count};
}

bool sounds_like_a_result(const std::string& name) {
    const std::string low = lower(name);
    return any_of(low, {"y", "c", "dst", "result", "res", "sum", "ret"}) || low.starts_with("out") ||
           low.ends_with("out") || low.ends_with("output") || low.starts_with("dst");
}

DraftArgument buffer_argument(const ArgumentFacts& facts, const Shape& shape, bool any_const) {
    DraftArgument argument;
    argument.kind = DraftArgument::Kind::buffer;
    argument.element_type = facts.element_type.empty() ? "u8" : facts.element_type;
    if (facts.is_half && facts.written_type.find("bfloat") == std::string::npos)
        argument.element_type = "f16";
    // Of a type that is not known, sixteen bytes per element: most structures are smaller.
    const std::uint32_t times = facts.element_type.empty() ? 16 : facts.elements;
    const bool sum =
        shape.length.find_first_of(" ") != std::string::npos && !shape.length.starts_with("max(");
    argument.length = times == 1 ? shape.length
                      : sum      ? "(" + shape.length + ") * " + std::to_string(times)
                                 : shape.length + " * " + std::to_string(times);
    const bool input = facts.is_const || (!any_const && !sounds_like_a_result(facts.name));
    if (!input || facts.element_type.empty()) argument.fill = "zero";
    else if (facts.is_half) {
        const bool bfloat = facts.written_type.find("bfloat") != std::string::npos;
        argument.fill = "constant";
        argument.value = bfloat ? "0x3f80" : "1.0";  // bits of 1.0
    } else if (element_bytes(argument.element_type) == 1) {
        // Ascending bytes fill a histogram evenly and hide how its threads meet; larger numbers may be
        // indices.
        argument.fill = "random";
        const bool truth = facts.written_type.find("bool") != std::string::npos;
        argument.value = truth ? "2" : argument.element_type[0] == 'u' ? "256" : "128";
    } else {
        argument.fill = argument.element_type[0] == 'f' ? "random" : "iota";
    }
    return argument;
}

/// As wide and high as the launch, as far as the parameters say so.
std::string guessed_image(const ArgumentFacts& facts, const Extent& extent, const Shape& shape) {
    const ImageFacts& image = *facts.image;
    std::string text = image.is_surface ? "surface:" : "texture:";
    text += facts.element_type;
    if (facts.elements > 1) text += "x" + std::to_string(facts.elements);
    const bool sized = !extent.width.empty() && !extent.height.empty();
    if (image.dimensions == 1) {
        text += "[" + shape.length + "]";
    } else if (image.cube) {
        text += "[" + (sized ? extent.width : guessed_side) + "]";
    } else {
        text += sized ? "[" + extent.width + "," + extent.height : std::string("[256,256");
        text += image.dimensions == 3 ? ",16]" : "]";
    }
    text += image.is_surface ? "=zero" : facts.element_type[0] == 'f' ? "=random" : "=iota";
    if (image.layered) text += ",layers=4";
    if (image.cube) text += ",cube";
    const bool mixes = !image.is_surface && !image.by_integers && facts.element_type[0] == 'f';
    return mixes ? text + ",filter=linear" : text;
}

}  // namespace

LaunchDraft guess_launch(const EntryFacts& entry, const std::string& source) {
    const std::vector<ArgumentFacts> facts = arguments_of(entry, source);
    const Extent extent = extent_of(facts);
    const Shape shape = shape_of(extent, entry.most_threads);
    const bool any_const = std::ranges::any_of(facts, &ArgumentFacts::is_const);
    LaunchDraft draft;
    draft.entry = entry.name;
    draft.grid = shape.grid;
    draft.block = shape.block;
    // A barrier over the whole grid waits for ever unless all its blocks run.
    draft.cooperative = source.find("this_grid()") != std::string::npos ||
                        source.find("cudaLaunchCooperativeKernel") != std::string::npos;
    draft.cooperative_guessed = draft.cooperative;
    for (const ArgumentFacts& argument : facts) {
        DraftArgument row;
        if (argument.image) {
            row.kind = DraftArgument::Kind::image;
            row.value = guessed_image(argument, extent, shape);
        } else if (argument.is_pointer) {
            row = buffer_argument(argument, shape, any_const);
        } else if (argument.is_structure) {
            row.kind = DraftArgument::Kind::structure;
            row.bytes = argument.bytes;
            const bool words = argument.bytes % 4 == 0;
            row.value = "struct:{" + std::string(words ? "u32[" : "u8[") +
                        std::to_string(words ? argument.bytes / 4 : argument.bytes) + "]=0}";
        } else {
            row.scalar_type = argument.scalar_type;
            row.value = is_real_type(row.scalar_type)                        ? "1.0"
                        : argument.bytes > 1 && is_extent(role_of(argument)) ? shape.side
                                                                             : "1";
        }
        row.name = argument.name;
        row.written_type = argument.written_type;
        // The expressions' own functions are not to be hidden.
        if (std::ranges::find(lua_function_names(), row.name) != lua_function_names().end())
            row.name += "_value";
        // A declaration may leave names out, and then its types stand for them.
        if (std::ranges::find(draft.arguments, row.name, &DraftArgument::name) != draft.arguments.end())
            row.name += std::to_string(draft.arguments.size());
        draft.arguments.push_back(std::move(row));
    }
    return draft;
}

}  // namespace warplens::instrumentation
