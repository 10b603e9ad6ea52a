#include "instrumentation/device/assembled_modules.h"

#include <utility>

namespace warplens::instrumentation {

namespace {

/// "sm_90a" is of the device "sm_90", "sm_900" is not.
bool is_of(const std::string& target, const std::string& device) {
    const std::string_view rest = std::string_view(target).substr(std::min(device.size(), target.size()));
    return target.starts_with(device) && (rest.empty() || rest.front() < '0' || rest.front() > '9');
}

/// Nobody asks which lines of the source the machine code of a recorded form came from: without them ptxas
/// makes the same code, sooner.
std::string without_line_table(std::string_view ptx) {
    std::string text;
    text.reserve(ptx.size());
    while (!ptx.empty()) {
        const std::string_view line = ptx.substr(0, std::min(ptx.find('\n'), ptx.size() - 1) + 1);
        ptx.remove_prefix(line.size());
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos || !line.substr(begin).starts_with(".loc ")) text += line;
    }
    return text;
}

}  // namespace

std::shared_ptr<const AssembledModules> assemble_modules(Assembler& assembler, const DeviceFacts& device,
                                                         const GpuLaunch& launch,
                                                         const std::vector<GpuVariant>& variants,
                                                         const std::function<bool()>& cancelled) {
    if (!assembler.found()) return nullptr;
    const std::string own = fmt::format("sm_{}{}", device.compute_major, device.compute_minor);
    const bool fits = is_of(launch.target, own);
    const std::string& target = fits ? launch.target : own;
    const bool has_clean = fits && !launch.cubin.empty();
    std::vector<AssemblerText> texts;
    for (const GpuVariant& variant : variants)
        texts.push_back({.ptx = without_line_table(variant.ptx),
                         .target = target,
                         .few_registers = variant.few_registers});
    if (!has_clean) texts.push_back({launch.ptx, target});
    auto cubins = assembler.assemble(texts, cancelled);
    for (const auto& cubin : cubins)
        if (!cubin) return nullptr;
    auto code = std::make_shared<AssembledModules>();
    code->clean = has_clean ? std::string(launch.cubin) : std::move(*cubins.back());
    for (std::size_t i = 0; i < variants.size(); ++i) code->variants.push_back(std::move(*cubins[i]));
    return code;
}

}  // namespace warplens::instrumentation
