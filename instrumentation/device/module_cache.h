// ModuleCache: the modules that the child's driver holds, by their hash, and what the driver says
// of their kernels. The least recently used go when there are many.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/device/device_calls.h"

namespace warplens::instrumentation {

struct ModuleText {
    std::string hash;
    std::string image;    // PTX, or machine code
    std::string subject;  // what it is, for sentences
};

class ModuleCache {
  public:
    explicit ModuleCache(DeviceCalls& calls) : calls_(calls) {}

    bool holds(const std::string& hash) const { return modules_.contains(hash); }
    /// PTX is assembled first, one text after another. False: the failure holds what the driver said first of
    /// the first that it refused; the others are loaded nevertheless.
    bool load(const std::vector<ModuleText>& modules);
    /// Null and a failure when the module is not here or has no such kernel.
    cuda::Function find(const std::string& hash, const std::string& entry);
    /// Unloads what was not used for long; between runs only.
    void trim();
    /// Milliseconds that loading took since the last call.
    double take_load_ms();

  private:
    struct Attempt;
    bool keep(const ModuleText& text, const Attempt& attempt);

    struct Entry {
        cuda::Module module = nullptr;
        std::uint64_t used = 0;  // when, counted in uses
    };
    DeviceCalls& calls_;
    std::map<std::string, Entry> modules_;
    std::uint64_t uses_ = 0;
    double load_ms_ = 0;
};

/// The first lines of an assembler's log that are not empty, as one line.
std::string first_lines(std::string_view log, int count);

/// Sets the dynamic shared memory and asks registers, memory and residency. False: no GPU of this kind can
/// run a block of this launch.
bool prepare_kernel(DeviceCalls& calls, cuda::Function function, const LaunchGeometry& geometry,
                    GpuKernelFacts& facts);

}  // namespace warplens::instrumentation
