// Relocatable device code: what NVRTC makes of a file whose device code launches grids. Only such files are
// compiled so, since the machine code of the others is complete without a linker.
#pragma once

#include <string>

namespace warplens::instrumentation {

/// The source asks for it: it names __CUDACC_RDC__, which is defined in relocatable code.
bool names_relocatable_code(const std::string& source);

/// The log of a failed compilation: a launch in device code, or a function or stream of the device run-time,
/// which is declared in relocatable code only.
bool needs_device_runtime(const std::string& log);

}  // namespace warplens::instrumentation
