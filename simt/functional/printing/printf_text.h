// The text that one call of printf in device code prints: the format with its conversions carried out, as an
// H100 prints it (tests/simt/printed_by_an_h100.tsv). It does not access memory: the arguments come from a
// PrintfArguments. printf_conversion.h defines conversions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens::simt {

/// The most arguments after the format that CUDA's printf takes; further conversions are printed as written.
inline constexpr int most_printf_arguments = 32;
/// The most characters of one conversion, so that a width from an argument cannot fill the memory; longer
/// output is truncated.
inline constexpr std::size_t longest_printf_field = 65'536;

/// Where the values come from, in order.
class PrintfArguments {
  public:
    virtual ~PrintfArguments() = default;
    /// The next value of 4 or 8 bytes, at its natural alignment. std::nullopt if there is none, which the
    /// implementation has reported: the conversion then prints 0.
    virtual std::optional<std::uint64_t> next(std::uint32_t bytes) = 0;
    /// The string at an address other than 0, which ends before its NUL or after `longest` characters.
    virtual std::string text_at(std::uint64_t address, std::size_t longest) = 0;
};

struct PrintfText {
    std::string text;
    int arguments = 0;  // that the format requested, at most most_printf_arguments: what printf returns
};

PrintfText printf_text(std::string_view format, PrintfArguments& arguments);

}  // namespace warplens::simt
