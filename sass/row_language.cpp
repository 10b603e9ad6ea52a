#include "sass/row_language.h"

#include <map>

#include "sass/row_reader.h"

namespace warplens::sass {

namespace {

struct WrittenKind {
    std::string_view name;
    unsigned bits;
    std::string_view values;
};

constexpr WrittenKind written_kinds[] = {
#define SASS_MODIFIER(name, bits, values) {name, bits, values},
#include "sass/modifiers.def"
#undef SASS_MODIFIER
};

std::map<std::string_view, ModifierKind> read_kinds() {
    std::map<std::string_view, ModifierKind> kinds;
    for (const WrittenKind& written : written_kinds)
        kinds[written.name] = ModifierKind{written.name, written.bits, split(written.values, ' ')};
    return kinds;
}

}  // namespace

const ModifierKind* find_modifier_kind(std::string_view name) {
    static const std::map<std::string_view, ModifierKind> kinds = read_kinds();
    const auto found = kinds.find(name);
    return found == kinds.end() ? nullptr : &found->second;
}

bool hold(const std::vector<Condition>& conditions, const Encoding& encoding) {
    for (const Condition& condition : conditions)
        if (encoding.bit(condition.bit) != condition.wanted) return false;
    return true;
}

Result<std::vector<Condition>> parse_conditions(std::string_view text) {
    Reader reader{text};
    auto conditions = reader.conditions();
    if (!conditions || !reader.rest.empty()) return fail("condition {} cannot be read", text);
    return *conditions;
}

Result<std::vector<ModifierSpec>> parse_modifiers(std::string_view text) {
    std::vector<ModifierSpec> specs;
    for (const std::string_view item : split(text, ' ')) {
        Reader reader{item};
        ModifierSpec spec;
        if (reader.take('=')) {
            spec.name = reader.rest;
            spec.printed_when_clear = true;
            specs.push_back(spec);
            continue;
        }
        spec.printed_when_clear = reader.take('!');
        spec.name = reader.word();
        spec.kind = find_modifier_kind(spec.name);
        const bool placed = reader.take('@');
        const auto field = placed ? reader.field(spec.kind ? spec.kind->bits : 1) : std::nullopt;
        if (!field || field->width() != (spec.kind ? spec.kind->bits : 1))
            return fail("modifier {} is not a flag or a kind with a place", item);
        spec.field = *field;
        const auto conditions = reader.conditions();
        if (!conditions || !reader.rest.empty())
            return fail("modifier {} ends in an unknown condition", item);
        spec.conditions = *conditions;
        specs.push_back(spec);
    }
    return specs;
}

}  // namespace warplens::sass
