// Numbers as people read them: thousands separated by commas, a fixed number of decimals, bytes with their
// unit. Text only; draw it with widgets/text.h.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/wording.h"

namespace warplens::app {

using analysis::grouped;  // 1048576 -> "1,048,576"
std::string grouped_signed(std::int64_t value);
/// A knob's value: "1048576" -> "1,048,576"; texts that are not an integer from 0 on as they are.
std::string grouped_text(const std::string& value);
/// At most `decimals` digits after the point, without trailing zeros: 2 -> "2", 8.5 -> "8.5".
std::string decimal(double value, int decimals = 2);
/// 0.625 -> "62.5 %".
std::string percent(double share, int decimals = 1);
/// Exact bytes where they are few, else in KiB, MiB or GiB: 96 -> "96 B", 4224 -> "4.125 KiB".
std::string bytes_words(std::uint64_t bytes);
/// Three significant digits with the decimal prefix that reads best: 4.09e12, "FLOP/s" -> "4.09 TFLOP/s".
std::string scaled(double value, const char* unit);
/// Three significant digits without a prefix: 0.125 -> "0.125", 13.94 -> "13.9", 1536.4 -> "1,540".
std::string three_digits(double value);
/// For narrow columns, at most four characters: 412 -> "412", 5712 -> "5.7k", 41234 -> "41k", 3140000 ->
/// "3.1M".
std::string compact(double count);
/// Whole cycles: 19401.4 -> "19,401 cycles".
std::string cycles_words(double cycles);
/// "1 lane", "32 lanes": the count with its noun, `plural` when given else the noun with an s.
std::string counted(std::uint64_t count, const char* noun, const char* plural = nullptr);

}  // namespace warplens::app
