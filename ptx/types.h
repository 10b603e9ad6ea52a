// The fundamental types of PTX ("PTX ISA: Types") with their sizes and classes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens::ptx {

// clang-format off
enum class Type : std::uint8_t {
    none,
    b8, b16, b32, b64, b128,
    u8, u16, u32, u64,
    s8, s16, s32, s64,
    f16, f16x2, bf16, bf16x2, tf32, f32, f64,
    pred,
    u16x2, s16x2, f32x2,
    e4m3x2, e5m2x2, e2m3x2, e3m2x2, e2m1x2,
    texref, samplerref, surfref,
};
// clang-format on

enum class TypeClass : std::uint8_t {
    none,
    untyped,
    unsigned_integer,
    signed_integer,
    floating,
    predicate,
    opaque
};

/// Size in bytes of one value; 1 for .pred, 0 for none, 8 for opaque references.
int size_of(Type type);
TypeClass class_of(Type type);

/// "f32" for Type::f32, without the dot; "" for none.
std::string_view to_string(Type type);
std::optional<Type> type_from(std::string_view name);

}  // namespace warplens::ptx
