// Textures and surfaces: the engine's own, by handle. Machine code has its lower half in a uniform register.
// What the engine has no image for is refused: offsets, depth comparisons, samples of a pixel, cubes (the
// code brings their coordinates to a face's size, and how it is sampled there is not known).
#include "simt/functional/execute/texture.h"

#include <algorithm>

#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/memory/images.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

constexpr std::size_t channels = 4;
constexpr s64 all_channels = 15;  // of the mask, which is not printed then

struct ShapeName {
    std::string_view name;
    ImageShape shape;
    u32 coordinates;
};
constexpr ShapeName texture_shapes[] = {{"1D", ImageShape::one, 1},
                                        {"2D", ImageShape::two, 2},
                                        {"3D", ImageShape::three, 3},
                                        {"ARRAY_1D", ImageShape::layers_of_one, 2},
                                        {"ARRAY_2D", ImageShape::layers_of_two, 3}};
constexpr ShapeName surface_shapes[] = {{"1D", ImageShape::one, 1},
                                        {"2D", ImageShape::two, 2},
                                        {"3D", ImageShape::three, 3},
                                        {"1D_ARRAY", ImageShape::layers_of_one, 2},
                                        {"2D_ARRAY", ImageShape::layers_of_two, 3}};

const ShapeName* shape_named(std::span<const ShapeName> shapes, std::string_view name) {
    const auto found = std::ranges::find(shapes, name, &ShapeName::name);
    return found == shapes.end() ? nullptr : &*found;
}

/// The name in the table of the keyword among the operands: the texture's shape.
std::string_view keyword(const Lowering& lowering) {
    for (const sass::Operand& operand : lowering.instruction().operands)
        if (operand.kind == sass::OperandKind::keyword && operand.spec && operand.spec->names)
            return operand.spec->names->values[static_cast<std::size_t>(operand.value)];
    return {};
}

constexpr auto complete_handle = [](const LaneInputs& in) {
    return LaneResults{in.immediate | in.a, false, false};
};

/// A row of 8 bytes per lane.
Row handle_row(Lowering& lowering, const sass::Operand& lower) {
    MachineRows& rows = lowering.rows();
    const Row pair = rows.scratch(2), sink = rows.predicate_sink(), zero = rows.zero(),
              no = rows.false_predicate();
    DecodedOp& op = lowering.prepare(each_lane_of<complete_handle, 2>);
    const Row all[] = {pair, sink, sink, lowering.row_of(lower, 1), zero, zero, no, no};
    std::copy(std::begin(all), std::end(all), op.rows);
    op.immediate = Images::handle_upper();
    return lowering.widened(pair);
}

void set_coordinates(Lowering& lowering, DecodedOp& image, Row first, u32 count) {
    for (u32 i = 0; i < channels; ++i)
        image.rows[coordinate_row + i] = i < count ? first + i * word_row_bytes : lowering.rows().zero();
}

void add_image_operation(Lowering& lowering, Execute execute, const DecodedOp& image) {
    DecodedOp& op = lowering.add(execute);
    std::copy(std::begin(image.rows), std::end(image.rows), op.rows);
    op.flags = image.flags;
    op.space = image.space;
    op.element_bytes = image.element_bytes;
    op.vector_width = image.vector_width;
}

/// The first two of the channels that the mask names go to the register at bit 16 and the next, the others to
/// that at bit 64.
bool set_channels(Lowering& lowering, DecodedOp& image) {
    std::vector<const sass::Operand*> results;
    for (const sass::Operand& operand : lowering.instruction().operands)
        if (operand.destination && operand.kind == sass::OperandKind::general_register)
            results.push_back(&operand);
    if (results.size() != 2) return false;
    s64 mask = all_channels;
    const sass::Operand& last = lowering.instruction().operands.back();
    if (last.kind == sass::OperandKind::immediate && last.spec && last.spec->field.runs[0].first == 72)
        mask = last.value;
    u32 used = 0;
    for (std::size_t channel = 0; channel < channels; ++channel) {
        image.rows[channel] = lowering.rows().sink();
        if ((mask >> channel & 1) == 0) continue;
        // In the order printed: the second pair is first.
        const sass::Operand& pair = *results[used < 2 ? 1 : 0];
        if (pair.index != sass::register_zero)
            image.rows[channel] = lowering.rows().general(pair.index + used % 2);
        ++used;
    }
    return true;
}

bool has_any(const Lowering& lowering, std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return lowering.modifier(name) != 0; });
}

/// There is one level of detail, which any level, bias or gradient selects.
template <Execute execute, bool integers>
bool lower_fetch(Lowering& lowering) {
    if (has_any(lowering, {"AOFFI", "DC", "PTP", "MS", "CL", "texture_result"}) ||
        lowering.predicate_result(81) != lowering.rows().predicate_sink())
        return false;
    const ShapeName* shape = shape_named(texture_shapes, keyword(lowering));
    const sass::Operand* handle = lowering.find(sass::OperandKind::uniform_register);
    const sass::Operand* first = lowering.find(sass::OperandKind::general_register);
    if (!shape || !handle || !first || first->index == sass::register_zero) return false;
    DecodedOp image;
    ImageFlags flags;
    flags.shape = shape->shape;
    flags.integers = integers;
    flags.type = ptx::Type::f32;  // words as they are
    if (execute == gather_texture) {
        if (flags.shape != ImageShape::two && flags.shape != ImageShape::layers_of_two) return false;
        flags.component = static_cast<u8>(lowering.modifier("gather_component"));
    }
    image.space = Space::texture;
    image.element_bytes = 4;
    image.vector_width = channels;
    image.flags = pack(flags);
    if (!set_channels(lowering, image)) return false;
    set_coordinates(lowering, image, lowering.rows().general(first->index), shape->coordinates);
    image.rows[address_row] = handle_row(lowering, *handle);
    add_image_operation(lowering, execute, image);
    return true;
}

// ---- surfaces: x counts bytes; an array's layer comes last, where PTX has it first
bool set_surface(Lowering& lowering, DecodedOp& image, ImageFlags flags) {
    const ShapeName* shape = shape_named(surface_shapes, lowering.modifier_name("surface_shape"));
    const sass::Operand* at = lowering.find(sass::OperandKind::address);
    const sass::Operand* handle = lowering.find(sass::OperandKind::uniform_register);
    if (!shape || !at || !handle || lowering.modifier("BA") == 0 || at->index >= sass::register_zero ||
        at->value != 0)
        return false;
    std::string_view edge = lowering.modifier_name("surface_clamp");
    if (edge.empty()) edge = lowering.modifier_name("surface_reduce_clamp");
    flags.shape = shape->shape;
    flags.edge = edge == "TRAP" ? ImageEdge::trap : edge == "IGN" ? ImageEdge::zero : ImageEdge::clamp;
    image.space = Space::surface;
    image.flags = pack(flags);
    const Row first = lowering.rows().general(at->index);
    set_coordinates(lowering, image, first, shape->coordinates);
    if (flags.shape == ImageShape::layers_of_one || flags.shape == ImageShape::layers_of_two) {
        image.rows[coordinate_row] = first + (shape->coordinates - 1) * word_row_bytes;
        for (u32 i = 1; i < shape->coordinates; ++i)
            image.rows[coordinate_row + i] = first + (i - 1) * word_row_bytes;
    }
    image.rows[address_row] = handle_row(lowering, *handle);
    return true;
}

template <bool load>
bool lower_surface(Lowering& lowering) {
    const std::string_view access = lowering.modifier_name("access");
    if (access.starts_with('S') || lowering.predicate_result(81) != lowering.rows().predicate_sink())
        return false;
    DecodedOp image;
    image.element_bytes = access == "U8" ? 1 : access == "U16" ? 2 : 4;
    image.vector_width = access == "64" ? 2 : access == "128" ? 4 : 1;
    const Row data = load ? lowering.result() : lowering.plain(0);
    const bool fixed = data == lowering.rows().zero() || data == lowering.rows().sink();
    for (u32 i = 0; i < image.vector_width; ++i) image.rows[i] = fixed ? data : data + i * word_row_bytes;
    if (!set_surface(lowering, image, {})) return false;
    add_image_operation(lowering, load ? load_surface : store_surface, image);
    return true;
}

bool lower_surface_update(Lowering& lowering) {
    constexpr std::pair<std::string_view, ImageUpdate> updates[] = {{"ADD", ImageUpdate::add},
                                                                    {"MIN", ImageUpdate::min},
                                                                    {"MAX", ImageUpdate::max},
                                                                    {"AND", ImageUpdate::bit_and},
                                                                    {"OR", ImageUpdate::bit_or}};
    const std::string_view name = lowering.modifier_name("atomic_red"),
                           type = lowering.modifier_name("surface_atomic_type");
    const auto* found = std::ranges::find(updates, name, &std::pair<std::string_view, ImageUpdate>::first);
    if (found == std::end(updates) || (!type.empty() && type != "S32")) return false;
    ImageFlags flags;
    flags.update = found->second;
    flags.type = type == "S32" ? ptx::Type::s32 : ptx::Type::u32;
    DecodedOp image;
    image.element_bytes = 4;
    image.vector_width = 1;
    image.rows[0] = lowering.plain(0);
    if (!set_surface(lowering, image, flags)) return false;
    add_image_operation(lowering, update_surface, image);
    return true;
}

constexpr Meaning texture_table[] = {
    {TEX, lower_fetch<sample_texture, false>},
    {TEX_100, lower_fetch<sample_texture, false>},
    {TLD, lower_fetch<sample_texture, true>},
    {TLD_100, lower_fetch<sample_texture, true>},
    {TLD4, lower_fetch<gather_texture, false>},
    {TLD4_100, lower_fetch<gather_texture, false>},
    {SULD, lower_surface<true>},
    {SULD_100, lower_surface<true>},
    {SUST, lower_surface<false>},
    {SUST_100, lower_surface<false>},
    {SURED, lower_surface_update},
    {SURED_100, lower_surface_update},
};

}  // namespace

Meanings texture_meanings() { return texture_table; }

}  // namespace warplens::simt
