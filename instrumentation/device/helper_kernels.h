// Two small kernels of our own, in PTX for every GPU since compute capability 5.0: one compares memory, so
// that results need not travel to be compared, and one waits, so that a launch to be timed is queued before
// the event in front of it has passed.
#pragma once

namespace warplens::instrumentation {

/// Kernels: warplens_compare(u64 a, u64 b, u64 units, u64 lowest) takes the minimum of *lowest and the index
/// of each 16-byte unit that differs; warplens_delay(u32 cycles) ends after that number of cycles of its SM.
extern const char* const helper_ptx;

inline constexpr const char* compare_kernel = "warplens_compare";
inline constexpr const char* delay_kernel = "warplens_delay";

}  // namespace warplens::instrumentation
