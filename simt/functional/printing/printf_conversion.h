// One conversion of a printf format in device code: "%-8.3f" taken apart. What counts as one is what CUDA's
// printf takes (CUDA C++ Programming Guide, "Formatted Output"), which is less than C's: no precision from an
// argument (".*"), no lengths but h, l and ll, no %n.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens::simt {

/// What of the argument a conversion asks for.
enum class PrintfKind : std::uint8_t { percent, integer, character, real, pointer, text };

struct PrintfConversion {
    PrintfKind kind = PrintfKind::percent;
    std::string_view flags;          // of "-+ #0", in the order written
    std::string_view width;          // digits; empty: none, or from an argument
    bool width_is_argument = false;  // "*": an int before the value
    bool has_precision = false;      // a dot; without digits it is 0
    std::string_view precision;      // digits
    std::string_view length;         // "", "h", "l", "ll"
    char letter = '%';               // the conversion itself
    std::string_view spelling;       // from the percent sign on
    bool takes_wide() const;         // the value has 8 bytes in the argument buffer, else 4
    bool is_convertible() const;     // false: takes its argument, but is printed as it stands: "%ls"
};

/// The conversion that `text`, which begins with a percent sign, begins with. Nothing where it begins with
/// none that CUDA takes: then the text is printed as it stands.
std::optional<PrintfConversion> parse_conversion(std::string_view text);

}  // namespace warplens::simt
