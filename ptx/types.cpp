#include "ptx/types.h"

#include <array>

namespace warplens::ptx {

namespace {

struct TypeRow {
    Type type;
    std::string_view name;
    int bytes;
    TypeClass type_class;
};

// In the order of enum Type, so that a Type is an index.
constexpr std::array type_rows{
    TypeRow{Type::none, "", 0, TypeClass::none},
    TypeRow{Type::b8, "b8", 1, TypeClass::untyped},
    TypeRow{Type::b16, "b16", 2, TypeClass::untyped},
    TypeRow{Type::b32, "b32", 4, TypeClass::untyped},
    TypeRow{Type::b64, "b64", 8, TypeClass::untyped},
    TypeRow{Type::b128, "b128", 16, TypeClass::untyped},
    TypeRow{Type::u8, "u8", 1, TypeClass::unsigned_integer},
    TypeRow{Type::u16, "u16", 2, TypeClass::unsigned_integer},
    TypeRow{Type::u32, "u32", 4, TypeClass::unsigned_integer},
    TypeRow{Type::u64, "u64", 8, TypeClass::unsigned_integer},
    TypeRow{Type::s8, "s8", 1, TypeClass::signed_integer},
    TypeRow{Type::s16, "s16", 2, TypeClass::signed_integer},
    TypeRow{Type::s32, "s32", 4, TypeClass::signed_integer},
    TypeRow{Type::s64, "s64", 8, TypeClass::signed_integer},
    TypeRow{Type::f16, "f16", 2, TypeClass::floating},
    TypeRow{Type::f16x2, "f16x2", 4, TypeClass::floating},
    TypeRow{Type::bf16, "bf16", 2, TypeClass::floating},
    TypeRow{Type::bf16x2, "bf16x2", 4, TypeClass::floating},
    TypeRow{Type::tf32, "tf32", 4, TypeClass::floating},
    TypeRow{Type::f32, "f32", 4, TypeClass::floating},
    TypeRow{Type::f64, "f64", 8, TypeClass::floating},
    TypeRow{Type::pred, "pred", 1, TypeClass::predicate},
    TypeRow{Type::u16x2, "u16x2", 4, TypeClass::unsigned_integer},
    TypeRow{Type::s16x2, "s16x2", 4, TypeClass::signed_integer},
    TypeRow{Type::f32x2, "f32x2", 8, TypeClass::floating},
    TypeRow{Type::e4m3x2, "e4m3x2", 2, TypeClass::floating},
    TypeRow{Type::e5m2x2, "e5m2x2", 2, TypeClass::floating},
    TypeRow{Type::e2m3x2, "e2m3x2", 2, TypeClass::floating},
    TypeRow{Type::e3m2x2, "e3m2x2", 2, TypeClass::floating},
    TypeRow{Type::e2m1x2, "e2m1x2", 1, TypeClass::floating},
    TypeRow{Type::texref, "texref", 8, TypeClass::opaque},
    TypeRow{Type::samplerref, "samplerref", 8, TypeClass::opaque},
    TypeRow{Type::surfref, "surfref", 8, TypeClass::opaque},
};

constexpr bool rows_follow_the_enum() {
    for (std::size_t i = 0; i < type_rows.size(); ++i)
        if (type_rows[i].type != static_cast<Type>(i)) return false;
    return true;
}
static_assert(rows_follow_the_enum());

}  // namespace

int size_of(Type type) { return type_rows[static_cast<std::size_t>(type)].bytes; }

TypeClass class_of(Type type) { return type_rows[static_cast<std::size_t>(type)].type_class; }

std::string_view to_string(Type type) { return type_rows[static_cast<std::size_t>(type)].name; }

std::optional<Type> type_from(std::string_view name) {
    if (name.size() < 2 || name.size() > 10) return std::nullopt;
    for (const TypeRow& row : type_rows)
        if (row.name == name) return row.type;
    return std::nullopt;
}

}  // namespace warplens::ptx
