#include "app/pipeline/machine_level.h"

#include <algorithm>

#ifdef WARPLENS_SASS
#include "simt/functional/machine/machine.h"
#endif

namespace warplens::app {

#ifdef WARPLENS_SASS

namespace {

/// The text of a source that the PTX's line table names as well.
void set_texts(const Program& ptx, Program& machine) {
    for (SourceFile& source : machine.sources) {
        const auto ends_with = [](const std::string& path, const std::string& name) {
            return path == name || path.ends_with("/" + name);
        };
        const auto same = std::ranges::find_if(
            ptx.sources, [&](const SourceFile& other) { return ends_with(source.name, other.name); });
        if (same != ptx.sources.end()) source = *same;
    }
}

}  // namespace

Status use_machine_code(LoadedLaunch& launch, const KernelCode& code) {
    if (code.cubin.empty())
        return fail(
            "{}: there is no machine code, which NVRTC or ptxas would make; leave --level machine out for "
            "the PTX level",
            launch.launch.kernel);
    const auto cubin = sass::read_cubin(code.cubin);
    if (!cubin) return fail("{}: {}", launch.launch.kernel, cubin.error().message);
    const auto kernel = simt::load_machine_code(*cubin, code.program.entry);
    if (!kernel)
        return fail("{}: {}; leave --level machine out for the PTX level", launch.launch.kernel,
                    kernel.error().message);
    launch.level = Level::machine;
    launch.code = *kernel;
    launch.program = (*kernel)->program();
    launch.program.parameters = code.program.parameters;
    launch.program.variables = code.program.variables;
    launch.program.ptx = code.program.ptx;
    set_texts(code.program, launch.program);
    launch.unsupported.clear();
    for (const auto& form : (*kernel)->unsupported())
        launch.unsupported.push_back({form.spelling, form.reason, form.sites});
    return {};
}

#else

Status use_machine_code(LoadedLaunch& launch, const KernelCode&) {
    return fail("{}: this Warplens was built without the machine level (WARPLENS_SASS)",
                launch.launch.kernel);
}

#endif

}  // namespace warplens::app
