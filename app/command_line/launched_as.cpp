#include "app/command_line/launched_as.h"

#include <utility>

namespace warplens::app {

Result<instrumentation::KernelFile> launched_as(instrumentation::KernelFile code,
                                                const instrumentation::KernelFile* launch,
                                                const FindEntries& entries) {
    if (launch == nullptr) return code;
    WARPLENS_TRY(const auto found, entries(code));
    instrumentation::KernelFile kernel = *launch;
    kernel.name = std::move(code.name);
    kernel.language = code.language;
    kernel.path = std::move(code.path);
    kernel.source = std::move(code.source);
    if (found.size() == 1) kernel.entry = found.front().symbol;
    kernel.sweep.reset();
    kernel.streams.reset();
    return kernel;
}

}  // namespace warplens::app
