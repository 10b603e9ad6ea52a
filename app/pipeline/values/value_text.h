// A value as text: the bits of a register or of an array's element, in a PTX type.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/types.h"

namespace warplens::app {

/// "-1.5", "7", "true"; of a type that says only a size, decimal, or hexadecimal from 64 bits on (addresses).
std::string value_text(std::uint64_t bits, ptx::Type type);
/// The type that a header names for a buffer's elements: "i32" is Type::s32.
ptx::Type element_type_from(const std::string& name);

}  // namespace warplens::app
