// tex, tld4, txq; suld, sust, sured, suq: their operands are [object, {coordinates}], also for textures,
// which use the unified mode.
#include <algorithm>

#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/texture.h"

namespace warplens::simt {

namespace {

std::optional<ImageShape> shape_of_image(const ptx::Instruction& instruction) {
    constexpr std::pair<const char*, ImageShape> shapes[] = {{"1d", ImageShape::one},
                                                             {"2d", ImageShape::two},
                                                             {"3d", ImageShape::three},
                                                             {"a1d", ImageShape::layers_of_one},
                                                             {"a2d", ImageShape::layers_of_two},
                                                             {"cube", ImageShape::cube},
                                                             {"acube", ImageShape::layers_of_cube}};
    for (const auto& [word, shape] : shapes)
        if (instruction.has(word)) return shape;
    return std::nullopt;
}

std::size_t coordinate_count(ImageShape shape) {
    switch (shape) {
        case ImageShape::one:
            return 1;
        case ImageShape::two:
        case ImageShape::layers_of_one:
            return 2;
        case ImageShape::layers_of_cube:
            return 4;
        default:
            return 3;
    }
}

/// The object: a register with its handle, or a variable of the module.
bool decode_object(Decoder& decoder, const ptx::Operand& operand, DecodedOp& op, ImageFlags& flags) {
    const ptx::Symbol* symbol = std::get_if<ptx::Symbol>(&operand.value);
    const auto* address = std::get_if<ptx::Address>(&operand.value);
    if (address != nullptr && address->offset != 0) return false;
    if (address != nullptr) symbol = std::get_if<ptx::Symbol>(&address->base);
    if (symbol != nullptr) {
        auto& names = decoder.kernel().image_names;
        op.immediate = static_cast<u64>(std::find(names.begin(), names.end(), symbol->name) - names.begin());
        if (op.immediate == names.size()) names.push_back(symbol->name);
        flags.named = true;
        op.rows[address_row] = 0;
        return true;
    }
    std::optional<Row> handle;
    if (address == nullptr) handle = decoder.source(operand, Shape::wide);
    else if (const auto* reg = std::get_if<ptx::RegisterOperand>(&address->base))
        handle = decoder.source({*reg, false}, Shape::wide);
    if (!handle) return false;
    op.rows[address_row] = *handle;
    return true;
}

/// Object and coordinates of a bracketed list.
bool decode_place(Decoder& decoder, const ptx::Operand& operand, bool integers, DecodedOp& op,
                  ImageFlags& flags) {
    const auto* list = std::get_if<ptx::List>(&operand.value);
    if (list == nullptr || list->bracket != '[' || list->elements.size() != 2)
        return false;  // separate samplers are not supported: the texture defines how it is sampled
    if (!decode_object(decoder, list->elements[0], op, flags)) return false;
    std::vector<ptx::Operand> coordinates{list->elements.back()};
    if (const auto* vector = std::get_if<ptx::Vector>(&list->elements.back().value))
        coordinates = vector->elements;
    const std::size_t count = coordinate_count(flags.shape);
    if (coordinates.size() < count || coordinates.size() > 4) return false;
    const bool layer_first = flags.shape == ImageShape::layers_of_one ||
                             flags.shape == ImageShape::layers_of_two ||
                             flags.shape == ImageShape::layers_of_cube;
    for (std::size_t i = 0; i < count; ++i) {
        const bool integer = integers || (layer_first && i == 0);
        const auto row = decoder.source(coordinates[i], integer ? Shape::word : Shape::f32);
        if (!row) return false;
        op.rows[coordinate_row + i] = *row;
    }
    for (std::size_t i = count; i < 4; ++i) op.rows[coordinate_row + i] = decoder.constant(Shape::word, 0);
    return true;
}

bool decode_data(Decoder& decoder, const ptx::Operand& operand, bool result, DecodedOp& op) {
    const Shape shape = op.element_bytes == 8 ? Shape::wide : Shape::word;
    std::vector<ptx::Operand> elements{operand};
    if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) elements = vector->elements;
    if (elements.size() != op.vector_width || elements.size() > 4) return false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto row =
            result ? decoder.destination(elements[i], shape) : decoder.source(elements[i], shape);
        if (!row) return false;
        op.rows[i] = *row;
    }
    return true;
}

void append(Decoder& decoder, Execute execute, DecodedOp op) {
    DecodedOp& added = decoder.add(execute);
    op.execute = added.execute;
    op.site = added.site;
    added = op;
}

bool is_of_textures(ptx::Type type) {
    return type == ptx::Type::f32 || type == ptx::Type::u32 || type == ptx::Type::s32 ||
           type == ptx::Type::f16 || type == ptx::Type::f16x2;
}

bool decode_sample(Decoder& decoder, bool is_gather) {
    const ptx::Instruction& instruction = decoder.instruction();
    const auto shape = shape_of_image(instruction);
    if (!shape || instruction.types.size() != 2 || !is_of_textures(instruction.type(0))) return false;
    const ptx::Type coordinate = instruction.type(1);
    if (coordinate != ptx::Type::f32 && coordinate != ptx::Type::s32) return false;
    // There is only one level of detail, which any level or gradient selects. Offsets and the predicate of
    // sparse textures are not executed.
    const std::size_t extra = instruction.has("level") ? 1 : instruction.has("grad") ? 2 : 0;
    if (instruction.operands.size() != 2 + extra) return false;
    DecodedOp op;
    ImageFlags flags;
    flags.shape = *shape;
    flags.integers = coordinate == ptx::Type::s32;
    flags.type = instruction.type(0);
    op.space = Space::texture;
    op.element_bytes = static_cast<u8>(ptx::size_of(flags.type));
    op.vector_width = static_cast<u8>(instruction.vector_width);
    if (is_gather) {
        constexpr std::string_view components = "rgba";
        bool named = false;
        for (u8 i = 0; i < components.size(); ++i)
            if (instruction.has(components.substr(i, 1))) named = true, flags.component = i;
        if (!named || (*shape != ImageShape::two && *shape != ImageShape::layers_of_two)) return false;
    }
    if (!decode_data(decoder, instruction.operands[0], true, op) ||
        !decode_place(decoder, instruction.operands[1], flags.integers, op, flags))
        return false;
    op.flags = pack(flags);
    append(decoder, is_gather ? gather_texture : sample_texture, op);
    return true;
}

bool decode_query(Decoder& decoder, Space space) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() != 2) return false;
    constexpr std::pair<const char*, ImageQuery> queries[] = {{"width", ImageQuery::width},
                                                              {"height", ImageQuery::height},
                                                              {"depth", ImageQuery::depth},
                                                              {"array_size", ImageQuery::layers},
                                                              {"normalized_coords", ImageQuery::normalised},
                                                              {"num_mipmap_levels", ImageQuery::one},
                                                              {"num_samples", ImageQuery::one}};
    for (const auto& [word, query] : queries) {
        if (!instruction.has(word)) continue;
        DecodedOp op;
        ImageFlags flags;
        op.space = space;
        op.element_bytes = static_cast<u8>(query);
        const auto result = decoder.destination(instruction.operands[0], Shape::word);
        if (!result || !decode_object(decoder, instruction.operands[1], op, flags)) return false;
        op.rows[0] = *result;
        op.flags = pack(flags);
        append(decoder, query_image, op);
        return true;
    }
    return false;
}

std::optional<ImageUpdate> update_named(const ptx::Instruction& instruction) {
    constexpr std::pair<const char*, ImageUpdate> updates[] = {{"add", ImageUpdate::add},
                                                               {"min", ImageUpdate::min},
                                                               {"max", ImageUpdate::max},
                                                               {"and", ImageUpdate::bit_and},
                                                               {"or", ImageUpdate::bit_or}};
    for (const auto& [word, update] : updates)
        if (instruction.has(word)) return update;
    return std::nullopt;
}

}  // namespace

bool decode_texture(Decoder& decoder) {
    const std::string& opcode = decoder.instruction().opcode;
    if (opcode == "tex") return decode_sample(decoder, false);
    if (opcode == "tld4") return decode_sample(decoder, true);
    if (opcode == "txq") return decode_query(decoder, Space::texture);
    return false;
}

bool decode_surface(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool load = instruction.opcode == "suld", store = instruction.opcode == "sust";
    if (instruction.opcode == "suq") return decode_query(decoder, Space::surface);
    if (!load && !store && instruction.opcode != "sured") return false;
    const auto shape = shape_of_image(instruction);
    const bool update = !load && !store;
    if (!shape || instruction.types.size() != 1 || instruction.operands.size() != 2) return false;
    if (*shape == ImageShape::cube || *shape == ImageShape::layers_of_cube) return false;
    if (!update && !instruction.has("b")) return false;  // formatted stores
    DecodedOp op;
    ImageFlags flags;
    flags.shape = *shape;
    flags.type = instruction.type();
    flags.by_texel = instruction.has("p");
    flags.edge = instruction.has("clamp")  ? ImageEdge::clamp
                 : instruction.has("zero") ? ImageEdge::zero
                                           : ImageEdge::trap;
    op.space = Space::surface;
    op.element_bytes = static_cast<u8>(ptx::size_of(flags.type));
    op.vector_width = static_cast<u8>(instruction.vector_width);
    if (update) {
        const auto named = update_named(instruction);
        if (!named || op.element_bytes < 4) return false;
        flags.update = *named;
    }
    if (!decode_data(decoder, instruction.operands[load ? 0 : 1], load, op) ||
        !decode_place(decoder, instruction.operands[load ? 1 : 0], true, op, flags))
        return false;
    op.flags = pack(flags);
    append(decoder, load ? load_surface : store ? store_surface : update_surface, op);
    return true;
}

}  // namespace warplens::simt
