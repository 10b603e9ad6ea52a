#include "app/pipeline/telling_contents.h"

#include <algorithm>
#include <string>

namespace warplens::app {
namespace {

using instrumentation::BufferDeclaration;
using instrumentation::KernelFile;

/// `none` is as good as one value, but a read of it is a problem that must stay one.
bool holds_one_value(const BufferDeclaration& buffer) {
    return !buffer.written && (buffer.fill == "zero" || buffer.fill == "constant");
}
bool is_real(const BufferDeclaration& buffer) { return buffer.element_type.front() == 'f'; }

/// `integers`: below which they are; empty: they stay as they are.
KernelFile varied(KernelFile kernel, const std::string& integers) {
    int seed = 0;
    for (BufferDeclaration& buffer : kernel.buffers) {
        ++seed;
        if (!holds_one_value(buffer) || (integers.empty() && !is_real(buffer))) continue;
        buffer.fill = "random";
        buffer.fill_argument = is_real(buffer)                                             ? ""
                               : buffer.element_type.ends_with('8') && integers.size() > 2 ? "100"
                                                                                           : integers;
        buffer.seed = std::to_string(seed);
    }
    return kernel;
}

}  // namespace

bool contents_tell(const KernelFile& kernel) {
    return std::ranges::any_of(kernel.buffers, [](const BufferDeclaration& buffer) {
        return !holds_one_value(buffer) && buffer.fill != "none";
    });
}

std::vector<KernelFile> with_telling_contents(const KernelFile& kernel) {
    std::vector<KernelFile> kernels{kernel};
    const auto any = [&](bool real) {
        return std::ranges::any_of(kernel.buffers, [&](const BufferDeclaration& buffer) {
            return holds_one_value(buffer) && is_real(buffer) == real;
        });
    };
    if (any(true)) kernels.push_back(varied(kernel, ""));
    if (any(false) && !contents_tell(kernel))
        for (const char* below : {"30000", "2"}) kernels.push_back(varied(kernel, below));
    return kernels;
}

}  // namespace warplens::app
