#include "app/pipeline/telling_contents.h"

#include <algorithm>
#include <string>

namespace warplens::app {
namespace {

using instrumentation::BufferDeclaration;
using instrumentation::KernelFile;

/// `none` is as good as one value, but a read of it is a problem that must stay one.
bool holds_one_value(const BufferDeclaration& buffer) {
    return buffer.fill == "zero" || buffer.fill == "constant";
}
bool is_real(const BufferDeclaration& buffer) { return buffer.element_type.front() == 'f'; }

KernelFile varied(KernelFile kernel, bool integers) {
    int seed = 0;
    for (BufferDeclaration& buffer : kernel.buffers) {
        ++seed;
        if (!holds_one_value(buffer) || !(integers || is_real(buffer))) continue;
        buffer.fill = "random";
        buffer.fill_argument = is_real(buffer) ? "" : buffer.element_type.ends_with('8') ? "100" : "30000";
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
    std::vector<KernelFile> kernels;
    if (!contents_tell(kernel)) kernels.push_back(varied(kernel, true));
    if (std::ranges::any_of(kernel.buffers, [](const BufferDeclaration& buffer) {
            return holds_one_value(buffer) && is_real(buffer);
        }))
        kernels.push_back(varied(kernel, false));
    kernels.push_back(kernel);
    return kernels;
}

}  // namespace warplens::app
