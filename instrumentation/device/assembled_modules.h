// AssembledModules: the modules of a run assembled outside the driver. All of them or none: times of code
// that two assemblers made cannot be compared.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/compile/assembler.h"
#include "instrumentation/device/gpu_recorder.h"

namespace warplens::instrumentation {

struct AssembledModules {
    std::string clean;
    std::vector<std::string> variants;  // as they were given
};

/// The launch's own code is that of the compiler where it was made for this device. Null when the
/// assembler was not found or refused one of the modules, and when `cancelled` became true.
std::shared_ptr<const AssembledModules> assemble_modules(Assembler& assembler, const DeviceFacts& device,
                                                         const GpuLaunch& launch,
                                                         const std::vector<GpuVariant>& variants,
                                                         const std::function<bool()>& cancelled);

}  // namespace warplens::instrumentation
