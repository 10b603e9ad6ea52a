// Wording: numbers as formatted in sentences and tables. JSON and CSV use plain numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens::analysis {

/// "1,048,576": with thousands separators.
std::string grouped(std::uint64_t value);
/// At most two decimals, without trailing zeros: "4", "2.5", "3.33".
std::string rounded(double value);
/// sum / count as rounded() prints it; "-" when count is 0.
std::string ratio(std::uint64_t sum, std::uint64_t count);
/// With a prefix of the SI: "1.2 GB", "820 bytes", "16 Gflop/s"; `one` is the unit's name without a prefix,
/// if different. A value that two decimals would lose has two digits: "0.0019 flop".
std::string with_prefix(double value, std::string_view unit, std::string_view one = {});
/// "42 ns", "4.87 µs", "1.2 ms": in the unit in which it has one to three digits before the point.
std::string duration(double seconds);
/// "71 %"
std::string percent(double share);
/// A change in percent, with its sign: "−42 %", "+0.3 %", "+0.02 %"; 0 is "0 %". A small change keeps one
/// digit.
std::string signed_percent(double percent);
/// "1 lane", "32 lanes".
std::string counted(std::uint64_t count, std::string_view singular);

}  // namespace warplens::analysis
