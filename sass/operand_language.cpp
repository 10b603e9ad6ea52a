// The operands' column of the instruction table; the language is described in sass/row_language.h.
#include <optional>

#include "sass/row_reader.h"

namespace warplens::sass {

namespace {

/// Which operand the 32-bit slot at bit 32 holds, by form.
enum class SlotContent { general_register, immediate, constant, uniform_register };
SlotContent wide_slot(unsigned form) {
    switch (form) {
        case 2:
        case 4:
            return SlotContent::immediate;
        case 3:
        case 5:
            return SlotContent::constant;
        case 6:
        case 7:
            return SlotContent::uniform_register;
        default:
            return SlotContent::general_register;
    }
}
bool is_rotated(unsigned form) { return form == 2 || form == 3 || form == 7; }

/// Reuse bits belong to the operand, first, second or third, wherever the form puts it.
std::int16_t reuse_bit(char slot, unsigned first) {
    if (slot == 'B' || slot == 'W') return 123;
    if (slot == 'C' || slot == 'X') return 124;
    return first == 24 ? 122 : first == 32 ? 123 : first == 64 ? 124 : -1;
}

BitField run(unsigned first, unsigned width) {
    BitField field;
    field.runs[0] = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(width)};
    field.run_count = 1;
    return field;
}

OperandSpec slot_operand(char slot, bool uniform_datapath, unsigned form) {
    OperandSpec spec;
    const bool narrow = slot != 'W' && slot != 'X' && (slot == 'C') != is_rotated(form);
    const OperandKind own = uniform_datapath ? OperandKind::uniform_register : OperandKind::general_register;
    if (narrow) {
        spec.kind = own;
        spec.field = run(64, 8);
        return spec;
    }
    switch (wide_slot(form)) {
        case SlotContent::general_register:
            spec.kind = own;
            break;
        case SlotContent::immediate:
            spec.kind = OperandKind::immediate;
            break;
        case SlotContent::constant:
            spec.kind = OperandKind::constant;
            spec.address.offset = 38;
            spec.address.offset_bits = 16;
            break;
        case SlotContent::uniform_register:
            spec.kind = OperandKind::uniform_register;
            break;
    }
    const bool is_register =
        spec.kind == OperandKind::general_register || spec.kind == OperandKind::uniform_register;
    spec.field = run(32, is_register ? 8 : 32);
    return spec;
}

std::optional<AddressFields> parse_address(std::string_view text) {
    AddressFields fields;
    for (const std::string_view part : split(text, ',')) {
        Reader reader{part.substr(1)};
        const std::optional<unsigned> number = reader.number();
        const auto bit = static_cast<std::int16_t>(number.value_or(0));
        switch (part.front()) {
            case 'r':
                fields.general = bit;
                break;
            case 'u':
                fields.uniform = bit;
                break;
            case 'x':
                fields.has_uniform = bit;
                break;
            case 'o':
                fields.offset = bit;
                if (reader.take('.'))
                    fields.offset_bits = static_cast<std::uint8_t>(reader.number().value_or(24));
                break;
            case 'O':
                fields.wide_offset = true;
                break;
            case 's':
                fields.scale = bit;
                break;
            case 'w':
                fields.wide = bit;
                break;
            case 'W':
                fields.always_wide = true;
                break;
            case 'd':
                fields.descriptor = bit;
                break;
            case 'Z':
                fields.keep_zero = true;
                break;
            case 'H':
                fields.hide_uniform_zero = true;
                break;
            default:
                return std::nullopt;
        }
    }
    return fields;
}

/// A bit's place, by the register that the operand is in; -1 where there is none.
std::int16_t place_of_bit(const OperandSpec& spec, int at24, int at32, int at64) {
    const unsigned first = spec.field.runs[0].first;
    return static_cast<std::int16_t>(first == 24 ? at24 : first == 32 ? at32 : first == 64 ? at64 : -1);
}

/// n, a and i: the bit that negates, takes the absolute value or inverts.
void parse_sign_bit(Reader& reader, char what, OperandSpec& spec) {
    const bool half = spec.number == NumberType::half2;
    const auto given = reader.number();
    std::int16_t bit = given         ? static_cast<std::int16_t>(*given)
                       : what == 'a' ? place_of_bit(spec, 73, 62, half ? 83 : 74)
                                     : place_of_bit(spec, 72, 63, half ? 84 : 75);
    if (spec.kind == OperandKind::immediate) bit = -1;  // the assembler has applied it to the number
    (what == 'n' ? spec.negate : what == 'a' ? spec.absolute : spec.invert) = bit;
}

bool parse_swizzle(Reader& reader, OperandSpec& spec) {
    const std::string_view name = reader.word();
    spec.swizzle = find_modifier_kind(name);
    if (!spec.swizzle || !reader.take('@')) return false;
    if (reader.take('*')) {
        spec.swizzle_field = run(static_cast<unsigned>(place_of_bit(spec, 74, 60, 81)), spec.swizzle->bits);
    } else {
        const auto field = reader.field(spec.swizzle->bits);
        if (!field) return false;
        spec.swizzle_field = *field;
    }
    if (spec.kind == OperandKind::immediate) spec.swizzle = nullptr;
    return true;
}

/// What follows a slash; false when it is not known.
bool parse_suffix(Reader& reader, OperandSpec& spec) {
    const char what = reader.rest.empty() ? ' ' : reader.rest.front();
    reader.rest.remove_prefix(reader.rest.empty() ? 0 : 1);
    switch (what) {
        case 'f':
            spec.number = NumberType::float32;
            return true;
        case 'd':
            spec.number = NumberType::float64;
            return true;
        case 'h':
        case 'H':
            spec.number = NumberType::half2;
            spec.spaced = what == 'h';
            if (const auto bit = reader.number()) spec.bfloat = static_cast<std::int16_t>(*bit);
            return true;
        case 's':
            spec.number = NumberType::integer;
            spec.sign = true;
            return true;
        case 'p':
            spec.spaced = true;
            return true;
        case 'x':
            spec.complemented = true;
            return true;
        case '_':
            spec.follows_blank = true;
            return true;
        case 'D':
            spec.as_descriptor = true;
            return true;
        case 'n':
        case 'a':
        case 'i':
            parse_sign_bit(reader, what, spec);
            return true;
        case 'z':
            return parse_swizzle(reader, spec);
        case '.':  // literal suffix, to the end of the token
            spec.suffix = reader.rest;
            reader.rest = {};
            return true;
        default:
            return false;
    }
}

/// The suffixes of an operand; false when one is not known.
bool parse_suffixes(Reader& reader, OperandSpec& spec) {
    while (!reader.rest.empty()) {
        if (reader.take('^')) {
            const auto value = reader.number();
            if (!value) return false;
            spec.has_hidden = true;
            spec.hidden = *value;
        } else if (reader.rest.front() == '?') {
            const auto conditions = reader.conditions();
            if (!conditions) return false;
            spec.conditions = *conditions;
        } else if (!reader.take('/') || !parse_suffix(reader, spec)) {
            return false;
        }
    }
    return true;
}

std::optional<OperandSpec> parse_operand(std::string_view text, unsigned form) {
    Reader reader{text};
    const bool destination = reader.take('>');
    OperandSpec spec;
    const auto placed = [&](OperandKind kind, unsigned width) {
        spec.kind = kind;
        const auto field = reader.field(width);
        if (field) spec.field = *field;
        return field.has_value();
    };
    if (reader.take("BAR")) {
        if (!placed(OperandKind::convergence_barrier, 4)) return std::nullopt;
    } else if (reader.take("SBM")) {
        if (!placed(OperandKind::scoreboards, 6)) return std::nullopt;
    } else if (reader.take("SB")) {
        if (!placed(OperandKind::scoreboard, 4)) return std::nullopt;
    } else if (reader.take("SR")) {
        if (!placed(OperandKind::special_register, 8)) return std::nullopt;
    } else if (reader.take("wu") || reader.take("bu") || reader.take("cu")) {
        spec = slot_operand(static_cast<char>(text[destination ? 1 : 0] - 'a' + 'A'), true, form);
    } else if (reader.take('W') || reader.take('X') || reader.take('B') || reader.take('C')) {
        spec = slot_operand(text[destination ? 1 : 0], false, form);
    } else if (reader.take('R')) {
        if (!placed(OperandKind::general_register, 8)) return std::nullopt;
    } else if (reader.take('U')) {
        if (!placed(OperandKind::uniform_register, 8)) return std::nullopt;
    } else if (reader.take('P') || reader.take('V')) {
        const bool uniform = text[destination ? 1 : 0] == 'V';
        if (!placed(uniform ? OperandKind::uniform_predicate : OperandKind::predicate, 3))
            return std::nullopt;
        if (reader.take('!')) spec.negate = static_cast<std::int16_t>(spec.field.runs[0].first + 3);
    } else if (reader.take('I')) {
        if (!placed(OperandKind::immediate, 32)) return std::nullopt;
        if (reader.take('*')) spec.unit = static_cast<std::uint8_t>(reader.number().value_or(1));
    } else if (reader.take('S')) {
        if (!placed(OperandKind::immediate, 32)) return std::nullopt;
        spec.sign = true;
        spec.number = NumberType::integer;
        if (reader.take('*')) spec.unit = static_cast<std::uint8_t>(reader.number().value_or(1));
    } else if (reader.take('T')) {
        if (!placed(OperandKind::target, 32)) return std::nullopt;
        spec.sign = true;
        if (reader.take('*')) spec.unit = static_cast<std::uint8_t>(reader.number().value_or(1));
    } else if (reader.take('K')) {
        spec.kind = OperandKind::constant;
        spec.field = run(32, 32);
        spec.address.offset = 38;
        spec.address.offset_bits = 16;
        (reader.take('u') ? spec.address.uniform : spec.address.general) = 24;
        if (const auto first = reader.number()) {
            spec.address.offset = static_cast<std::int16_t>(*first);
            spec.address.offset_bits = static_cast<std::uint8_t>(54 - *first);
        }
    } else if (reader.take('[')) {
        const std::size_t end = reader.rest.find(']');
        if (end == std::string_view::npos) return std::nullopt;
        const auto address = parse_address(reader.rest.substr(0, end));
        if (!address) return std::nullopt;
        reader.rest.remove_prefix(end + 1);
        spec.kind = OperandKind::address;
        spec.address = *address;
    } else if (reader.take('"')) {
        spec.kind = OperandKind::keyword;
        const std::size_t end = reader.rest.find('"');
        if (end == std::string_view::npos) return std::nullopt;
        spec.prefix = reader.rest.substr(0, end);
        reader.rest.remove_prefix(end + 1);
    } else {
        const std::string_view name = reader.word();
        spec.kind = OperandKind::keyword;
        spec.names = find_modifier_kind(name);
        if (!spec.names || !reader.take('@')) return std::nullopt;
        const auto field = reader.field(spec.names->bits);
        if (!field) return std::nullopt;
        spec.field = *field;
    }
    spec.destination = destination;
    if (spec.kind == OperandKind::general_register && !destination)
        spec.reuse = reuse_bit(text[0], spec.field.runs[0].first);
    if (!parse_suffixes(reader, spec)) return std::nullopt;
    return spec;
}

}  // namespace

Result<std::vector<OperandSpec>> parse_operands(std::string_view text, unsigned form) {
    std::vector<OperandSpec> specs;
    for (const std::string_view item : split(text, ' ')) {
        const auto spec = parse_operand(item, form);
        if (!spec) return fail("operand {} cannot be read", item);
        specs.push_back(*spec);
    }
    return specs;
}

}  // namespace warplens::sass
