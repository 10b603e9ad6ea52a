// Random CUDA kernels for the differential tests: the same seed always gives the same source. Each kernel is
// correct by construction: no race decides a result, all threads reach each barrier, loops end. So a GPU and
// the CPU engine must leave the same bytes and the same records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

/// Which instructions the expressions of a kernel prefer.
enum class FormGroup : std::uint8_t { integer, bits, narrow, wide, real, memory, warp, control, mixed };
inline constexpr int form_groups = 9;

std::string_view to_string(FormGroup group);
FormGroup form_group(std::uint64_t seed);

/// `replaced`: functions that call one another in a row, with the same values. A GPU's lanes may stay apart
/// after a recursion (docs/agreement.md), which hides what else differs.
enum class Recursion : std::uint8_t { kept, replaced };

/// A kernel file with its header, of the kernel random_SEED: 8 blocks of 32 to 160 threads. Its buffers are
/// in, out and tally.
std::string random_kernel(std::uint64_t seed, Recursion recursion = Recursion::kept);

}  // namespace warplens
