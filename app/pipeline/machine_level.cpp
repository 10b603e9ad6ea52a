#include "app/pipeline/machine_level.h"

#include <algorithm>

#ifdef WARPLENS_SASS
#include "core/sm_timing.h"
#include "simt/functional/machine/machine.h"
#include "simt/timing/machine_level/read_machine_code.h"
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

Result<std::shared_ptr<const simt::Kernel>> machine_kernel(const KernelCode& code, const std::string& entry) {
    WARPLENS_TRY(const auto cubin, sass::read_cubin(code.cubin));
    return simt::load_machine_code(cubin, entry);
}

Status use_machine_code(LoadedLaunch& launch, const KernelCode& code) {
    if (code.cubin.empty()) return fail("there is no machine code, which NVRTC or ptxas would make");
    WARPLENS_TRY(const auto cubin, sass::read_cubin(code.cubin));
    WARPLENS_TRY(const auto kernel, simt::load_machine_code(cubin, code.program.entry));
    if (const int sm = launch.gpu->major * 10 + launch.gpu->minor; cubin.sm != sm) {
        if (code.module)
            return fail(
                "the {} is sm_{}, and its machine code is not available here: the kernel needs a newer GPU, "
                "the compiler does not know this one, or only the code for sm_{} is shipped",
                launch.gpu->name, sm, cubin.sm);
        return fail("there is machine code for sm_{} only, and the {} is sm_{}", cubin.sm, launch.gpu->name,
                    sm);
    }
    WARPLENS_TRY(const auto numbered, sass::number_machine_sites(cubin, code.program.entry));
    launch.timed_code = std::make_shared<const simt::MachineProgram>(
        simt::read_machine_code(numbered, sm_timing(*launch.gpu)));
    launch.level = Level::machine;
    launch.code = kernel;
    launch.program = kernel->program();
    launch.program.parameters = code.program.parameters;
    launch.program.variables = code.program.variables;
    launch.program.ptx = code.program.ptx;
    set_texts(code.program, launch.program);
    launch.unsupported.clear();
    for (const auto& form : kernel->unsupported())
        launch.unsupported.push_back({form.spelling, form.reason, form.sites});
    return {};
}

#else

Result<std::shared_ptr<const simt::Kernel>> machine_kernel(const KernelCode&, const std::string&) {
    return fail("this Warplens was built without the machine level (WARPLENS_SASS)");
}

Status use_machine_code(LoadedLaunch&, const KernelCode&) {
    return fail("this Warplens was built without the machine level (WARPLENS_SASS)");
}

#endif

}  // namespace warplens::app
