// One conversion of a printf format in device code: "%-8.3f" parsed. Conversions are those of CUDA's printf
// (CUDA C++ Programming Guide, "Formatted Output"), a subset of C's: no precision from an argument (".*"), no
// lengths but h, l and ll, no %n.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens::simt {

/// The argument that a conversion reads.
enum class PrintfKind : std::uint8_t { percent, integer, character, real, pointer, text };

struct PrintfConversion {
    PrintfKind kind = PrintfKind::percent;
    std::string_view flags;          // from "-+ #0", in the order written
    std::string_view width;          // digits; empty: none, or from an argument
    bool width_is_argument = false;  // "*": an int before the value
    bool has_precision = false;      // has a dot; without digits the precision is 0
    std::string_view precision;      // digits
    std::string_view length;         // "", "h", "l", "ll"
    char letter = '%';               // the conversion itself
    std::string_view spelling;       // from the percent sign on
    bool takes_wide() const;         // the value has 8 bytes in the argument buffer, else 4
    bool is_convertible() const;     // false: consumes its argument, but is printed as written: "%ls"
};

/// The conversion at the start of `text`, which begins with a percent sign. std::nullopt if it is not one of
/// CUDA's: the text is then printed as written.
std::optional<PrintfConversion> parse_conversion(std::string_view text);

}  // namespace warplens::simt
