#include "app/scene/passes.h"

#include <utility>

#include "instrumentation/rewrite/instrument.h"
#include "ptx/parser.h"

namespace warplens::app {

namespace {

using instrumentation::RecordMode;

PassText compare(std::string name, std::string help, std::string before, std::string after) {
    PassText pass{std::move(name), std::move(help), std::move(before), std::move(after), {}, 0, 0};
    pass.lines = diff_lines(split_lines(pass.before), split_lines(pass.after));
    for (const DiffLine& line : pass.lines) {
        pass.added += line.kind == DiffLine::Kind::added;
        pass.removed += line.kind == DiffLine::Kind::removed;
    }
    return pass;
}

ModePasses passes_of(const ptx::Module& module, std::string_view entry, RecordMode mode,
                     const LaunchGeometry& geometry, std::uint32_t shared_bytes) {
    ModePasses made;
    instrumentation::InstrumentOptions options;
    options.mode = mode;
    options.shared_bytes = shared_bytes;
    options.launch = instrumentation::KnownLaunch{.geometry = geometry};
    options.keep_passes = true;
    auto instrumented = instrumentation::instrument(module, entry, options);
    if (!instrumented) {
        made.failure = instrumented.error().message;
        return made;
    }
    const auto& outputs = instrumented->passes;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        made.passes.push_back(
            compare(outputs[i].name, outputs[i].help, outputs[i > 0 ? i - 1 : 0].ptx, outputs[i].ptx));
    if (outputs.size() > 2)
        made.passes.push_back(compare("all passes", "Everything that recording adds to the kernel's own PTX.",
                                      outputs.front().ptx, outputs.back().ptx));
    return made;
}

}  // namespace

KernelPasses make_passes(std::string_view ptx, std::string_view entry, const LaunchGeometry& geometry,
                         std::uint32_t shared_bytes) {
    KernelPasses made;
    const auto module = ptx::parse(ptx, "the kernel's PTX");
    if (!module) {
        made.failure = module.error().message;
        return made;
    }
    for (const RecordMode mode : record_modes)
        made.modes[static_cast<std::size_t>(mode)] = passes_of(*module, entry, mode, geometry, shared_bytes);
    return made;
}

}  // namespace warplens::app
