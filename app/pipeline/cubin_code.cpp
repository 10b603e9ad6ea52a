#include "app/pipeline/cubin_code.h"

#include <algorithm>

#include "app/pipeline/memory_limit.h"
#include "app/pipeline/source_texts.h"
#include "core/symbol_name.h"
#include "instrumentation/compile/cubin_reader.h"

#ifdef WARPLENS_SASS
#include "sass/cubin.h"
#include "sass/program.h"
#include "simt/functional/machine/machine.h"
#endif

namespace warplens::app {

namespace catalog = instrumentation;

#ifdef WARPLENS_SASS

namespace {

std::vector<Variable> variables_of(const sass::Cubin& cubin) {
    std::vector<Variable> variables;
    for (const sass::CubinVariable& each : cubin.variables)
        variables.push_back(
            {each.name, each.constant ? Space::constant : Space::global, each.offset, each.bytes, 0});
    return variables;
}

CompiledShape shape_of(const sass::CubinFunction& function) {
    return {function.largest_block, function.exact_block, function.cluster};
}

/// A library of device functions, or a damaged file.
Error no_kernel_in(const catalog::KernelFile& file) {
    return {fmt::format(
        "{}: none of its functions is a kernel; give a .cubin that was compiled, undamaged, from a "
        "file with a __global__ function",
        file.path)};
}

Result<sass::Cubin> read(const catalog::KernelFile& file) {
    auto cubin = sass::read_cubin(file.source);
    if (!cubin) return fail("{}: {}", file.path, cubin.error().message);
    return cubin;
}

}  // namespace

Result<std::shared_ptr<const KernelCode>> read_cubin_code(const catalog::KernelFile& file) {
    WARPLENS_TRY(const auto cubin, read(file));
    catalog::Compiled compiled;
    auto resources = catalog::read_cubin(file.source);
    if (!resources) return fail("{}: {}", file.path, resources.error().message);
    for (const sass::CubinFunction& function : cubin.functions)
        if (function.kernel) compiled.entries[function.name] = (*resources)[function.name];
    if (compiled.entries.empty()) return tl::unexpected(no_kernel_in(file));
    const auto entry = catalog::find_entry(compiled, file.entry);
    if (!entry) return fail("{}: {}", file.path, entry.error().message);
    const sass::CubinFunction& function = *cubin.find(*entry);
    std::vector<std::pair<std::string, std::uint64_t>> sizes;
    for (const sass::CubinVariable& variable : cubin.variables)
        sizes.emplace_back(variable.name, variable.bytes);
    WARPLENS_TRY(check_variables(file.path, sizes));
    auto kernel = simt::load_machine_code(cubin, *entry);
    if (!kernel) return fail("{}: {}", file.path, kernel.error().message);

    auto code = std::make_shared<KernelCode>();
    code->kernel = *kernel;
    code->program = (*kernel)->program();
    code->program.variables = variables_of(cubin);
    read_texts_beside(file.path, code->program);
    code->resources = compiled.entries[*entry];
    code->target = fmt::format("sm_{}", cubin.sm);
    code->cubin = file.source;
    code->shape = shape_of(function);
    return std::shared_ptr<const KernelCode>(std::move(code));
}

Result<std::vector<catalog::EntryFacts>> cubin_entries(const catalog::KernelFile& file) {
    WARPLENS_TRY(const auto cubin, read(file));
    std::vector<catalog::EntryFacts> entries;
    for (const sass::CubinFunction& function : cubin.functions)
        if (function.kernel)
            entries.push_back({function.name, qualified_name(function.name), sass::parameters_of(function),
                               shape_of(function).most_threads()});
    if (entries.empty()) return tl::unexpected(no_kernel_in(file));
    return entries;
}

Result<const GpuSpec*> gpu_of_cubin(const catalog::KernelFile& file) {
    WARPLENS_TRY(const auto cubin, read(file));
    const auto executes = [&](const GpuSpec& gpu) { return gpu.major * 10 + gpu.minor == cubin.sm; };
    if (executes(default_gpu())) return &default_gpu();
    const auto specs = gpu_specs();
    const auto found = std::ranges::find_if(specs, executes);
    if (found == specs.end())
        return fail("{}: the code is for sm_{}, and no known GPU is; name one with --gpu", file.path,
                    cubin.sm);
    return &*found;
}

#else

namespace {

constexpr const char* not_built = "this Warplens was built without the machine level (WARPLENS_SASS)";

}  // namespace

Result<std::shared_ptr<const KernelCode>> read_cubin_code(const catalog::KernelFile& file) {
    return fail("{}: {}", file.path, not_built);
}

Result<std::vector<catalog::EntryFacts>> cubin_entries(const catalog::KernelFile& file) {
    return fail("{}: {}", file.path, not_built);
}

Result<const GpuSpec*> gpu_of_cubin(const catalog::KernelFile& file) {
    return fail("{}: {}", file.path, not_built);
}

#endif

}  // namespace warplens::app
