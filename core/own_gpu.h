// Own GPU: a GPU of the table (core/gpu_spec.h) with other limits. Its name says all that was changed, as in
// "H200 with shared=100KiB reserve=0": find_gpu() reads it, and it names the GPU wherever a name does — on
// the command line, in saved sessions, traces and lessons.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/gpu_spec.h"

namespace warplens {

/// A limit that can be changed. Its amounts count units of `unit`, and are multiples of `step`.
struct GpuLimit {
    std::string_view key;    // "shared"
    std::string_view title;  // "KiB shared per SM"
    int GpuSpec::*value;
    std::string_view suffix;  // after an amount: "KiB"
    int unit, least, most, step;

    int amount_of(const GpuSpec& gpu) const { return gpu.*value / unit; }
};
std::span<const GpuLimit> gpu_limits();

/// The name of `gpu` with another amount of one limit. A GPU whose limits are all those of the table has the
/// table's name.
Result<std::string> with_limit(const GpuSpec& gpu, const GpuLimit& limit, int amount);

/// Whether it is the name of a GPU with other limits; find_gpu() finds it.
bool names_own_gpu(std::string_view name);
/// `base`: the GPU of the table that the part of the name before "with" is of.
Result<const GpuSpec*> find_own_gpu(const GpuSpec& base, std::string_view name);
/// The part of the name before "with".
std::string_view base_name(std::string_view name);

}  // namespace warplens
