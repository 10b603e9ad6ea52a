#include "app/pipeline/kernel_code.h"

#include <algorithm>
#include <filesystem>

#include "analysis/warps/occupancy.h"
#include "app/pipeline/cubin_code.h"
#include "app/pipeline/memory_limit.h"
#include "app/pipeline/source_texts.h"
#include "core/symbol_name.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/compile/included_files.h"
#include "instrumentation/compile/ptx_file.h"
#include "ptx/control_flow.h"
#include "ptx/memory_layout.h"
#include "ptx/parser.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;
namespace fs = std::filesystem;

/// The user's sources that the line table names.
void read_sources(Program& program, const catalog::CompileRequest& request,
                  const catalog::KernelFile& kernel) {
    if (kernel.language != catalog::Language::cuda) return read_texts_beside(kernel.path, program);
    for (SourceFile& source : program.sources)
        if (source.text.empty() && source.name == request.name) source.text = request.source;
}

/// Before the module's code is decoded, which allocates their initial values.
Status check_module_variables(const std::string& file, const ptx::Module& module) {
    std::vector<std::pair<std::string, std::uint64_t>> variables;
    for (const ptx::VariableDeclaration& variable : module.variables)
        if (variable.space == Space::global || variable.space == Space::constant)
            variables.emplace_back(variable.name, variable.bytes());
    return check_variables(file, variables);
}

struct CompiledFile {
    catalog::Compiled compiled;
    std::string note;
};

Result<CompiledFile> compile_file(catalog::Compiler& compiler, const catalog::CompileRequest& request,
                                  const catalog::KernelFile& kernel) {
    if (kernel.language == catalog::Language::ptx) {
        WARPLENS_TRY(auto file, catalog::compile_ptx_file(request.name, request.source, request.target));
        return CompiledFile{std::move(file.compiled), std::move(file.unknown)};
    }
    WARPLENS_TRY(auto compiled, compiler.compile(request));
    return CompiledFile{std::move(compiled), ""};
}

/// Static shared memory of an entry whose resources are not known.
std::uint32_t shared_bytes(const Program& program) {
    std::uint64_t bytes = 0;
    for (const Variable& variable : program.variables)
        if (variable.space == Space::shared) bytes = std::max(bytes, variable.offset + variable.bytes);
    return static_cast<std::uint32_t>(bytes);  // at most most_shared_bytes, see number_sites
}

/// Blocks that an SM of the default GPU holds of a kernel with these resources; null: they are not known.
std::function<std::int64_t(std::int64_t, std::int64_t)> resident_blocks(
    const catalog::EntryResources& resources) {
    if (resources.registers_per_thread == 0) return nullptr;
    return [resources](std::int64_t threads, std::int64_t dynamic_bytes) -> std::int64_t {
        analysis::OccupancyInput input;
        input.threads_per_block = static_cast<int>(threads);
        input.registers_per_thread = static_cast<int>(resources.registers_per_thread);
        input.shared_bytes_per_block = static_cast<int>(resources.shared_static_bytes + dynamic_bytes);
        return analysis::occupancy(default_gpu(), input).blocks_per_sm;
    };
}

}  // namespace

std::string source_name(const catalog::KernelFile& kernel) {
    const auto folders = catalog::installed_folders();
    std::error_code error;
    if (folders && fs::equivalent(fs::path(kernel.path).parent_path(), folders->kernels, error)) {
        return "kernels/" + fs::path(kernel.path).filename().string();
    }
    // In PTX the name is in quotes, on one line.
    std::string name = kernel.path;
    std::ranges::replace_if(
        name, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; }, '_');
    return name;
}

Result<catalog::CompileRequest> compile_request(const catalog::KernelFile& kernel,
                                                const catalog::Values& values, std::string target) {
    catalog::CompileRequest request;
    request.name = source_name(kernel);
    request.source = kernel.source;
    request.target = std::move(target);
    request.macros = catalog::compile_macros(kernel, values);
    // The file may be compiled from memory, so its own folder has to be named.
    const fs::path folder = fs::path(kernel.path).parent_path();
    request.include_paths = kernel.include_paths;
    if (kernel.language != catalog::Language::cubin && kernel.source.find("include") != std::string::npos)
        request.include_paths.insert(request.include_paths.begin(), folder.empty() ? "." : folder.string());
    request.defines = kernel.defines;
    request.initializers = kernel.initializers;
    for (const std::string& define : kernel.defines) {
        const std::string name = define.substr(0, define.find('='));
        const auto same = [&](const auto& macro) { return macro.first == name; };
        if (std::ranges::any_of(request.macros, same))
            return fail("-D {}: {} is a parameter of {}; set it with --set {}", define, name, kernel.name,
                        define.find('=') == std::string::npos ? name + "=VALUE" : define);
    }
    if (kernel.language != catalog::Language::cuda && !kernel.defines.empty())
        return fail("-D {}: {} is compiled already, so macros cannot change it", kernel.defines.front(),
                    kernel.path);
    return request;
}

std::string code_key(const catalog::CompileRequest& request, const catalog::KernelFile& kernel) {
    catalog::IncludedFiles included;
    if (kernel.language != catalog::Language::cubin)
        included = catalog::find_included_files(kernel.path, kernel.source, kernel.include_paths);
    if (!included.complete) return {};
    std::string key = request.name + '\0' + request.source + '\0' + kernel.entry + '\0' + request.target;
    for (const auto* pairs : {&request.macros, &request.initializers})
        for (const auto& [name, value] : *pairs) key += '\0' + name + '=' + value;
    for (const auto& path : request.include_paths) key += '\0' + path;
    for (const auto& define : request.defines) key += '\0' + define;
    return key + '\0' + fingerprint(included);
}

Result<std::shared_ptr<const KernelCode>> build_code(catalog::Compiler& compiler,
                                                     const catalog::CompileRequest& request,
                                                     const catalog::KernelFile& file) {
    if (file.language == catalog::Language::cubin) return read_cubin_code(file);
    WARPLENS_TRY(auto compiled, compile_file(compiler, request, file));
    WARPLENS_TRY(auto module, ptx::parse(compiled.compiled.ptx, request.name));
    const auto& entries = compiled.compiled.entries;
    auto entry = catalog::find_entry(compiled.compiled, file.entry);
    // A header that names no function means the one named like the file, or the only one in it.
    if (!entry && file.entry == file.name && entries.size() == 1)
        entry = catalog::find_entry(compiled.compiled, "");
    if (!entry) return fail("{}: {}", request.name, entry.error().message);
    WARPLENS_TRY(check_module_variables(request.name, module));
    WARPLENS_TRY(auto kernel, simt::Kernel::load(module, *entry, compiled.compiled.ptx));

    auto code = std::make_shared<KernelCode>();
    code->kernel = kernel;
    code->shape = compiled_shape(*module.find_function(*entry));
    code->module = std::make_shared<const ptx::Module>(std::move(module));
    code->program = kernel->program();
    read_sources(code->program, request, file);
    if (auto found = entries.find(*entry); found != entries.end()) code->resources = found->second;
    if (!compiled.note.empty()) code->resources.shared_static_bytes = shared_bytes(code->program);
    code->target = compiled.compiled.target;
    code->cubin = std::move(compiled.compiled.cubin);
    code->note = std::move(compiled.note);
    return std::shared_ptr<const KernelCode>(std::move(code));
}

Result<std::vector<catalog::EntryFacts>> find_entries(catalog::Compiler& compiler,
                                                      const catalog::CompileRequest& request,
                                                      const catalog::KernelFile& file) {
    if (file.language == catalog::Language::cubin) return cubin_entries(file);
    WARPLENS_TRY(const auto compiled, compile_file(compiler, request, file));
    WARPLENS_TRY(const auto module, ptx::parse(compiled.compiled.ptx, request.name));
    std::vector<catalog::EntryFacts> entries;
    for (const ptx::Function& function : module.functions) {
        if (!function.is_entry || function.is_declaration) continue;
        entries.push_back({function.name, qualified_name(function.name), ptx::lay_out_parameters(function),
                           compiled_shape(function).most_threads(), ptx::guessed_instructions(function)});
        const auto resources = compiled.compiled.entries.find(function.name);
        if (resources != compiled.compiled.entries.end())
            entries.back().blocks_per_sm = resident_blocks(resources->second);
    }
    std::vector<std::string> names;
    for (const catalog::EntryFacts& entry : entries) names.push_back(entry.name);
    for (catalog::EntryFacts& entry : entries)
        if (std::ranges::count(names, entry.name) > 1) entry.name = demangled(entry.symbol);
    return entries;
}

}  // namespace warplens::app
