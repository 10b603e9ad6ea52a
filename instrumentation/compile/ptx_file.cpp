#include "instrumentation/compile/ptx_file.h"

#include "core/leftovers.h"
#include "instrumentation/compile/assembler.h"
#include "instrumentation/compile/cubin_reader.h"
#include "ptx/parser.h"

namespace warplens::instrumentation {

namespace {

/// The cubin's entries for the first of the targets that the assembler takes.
bool assemble(const std::string& text, const std::vector<std::string>& targets, Compiled& compiled) {
    static Assembler assembler;  // remembers what it took, and what it refused or had no time for
    for (const std::string& target : targets) {
        if (is_interrupted()) return false;
        auto code = assembler.assemble({{text, target, true}}).front();
        if (!code) continue;
        auto entries = read_cubin(*code);
        if (!entries) return false;
        compiled.cubin = std::move(*code);
        for (auto& [name, resources] : *entries)
            if (compiled.entries.count(name)) compiled.entries[name] = resources;
        compiled.target = target;
        return true;
    }
    return false;
}

}  // namespace

Result<PtxFile> compile_ptx_file(const std::string& name, const std::string& text,
                                 const std::string& target) {
    WARPLENS_TRY(const auto module, ptx::parse(text, name));
    PtxFile file;
    Compiled& compiled = file.compiled;
    for (const ptx::Function& function : module.functions)
        if (function.is_entry && !function.is_declaration) compiled.entries[function.name] = {};
    if (compiled.entries.empty())
        return fail("{}: the file has no .entry, so there is no kernel in it", name);
    compiled.ptx = text;
    compiled.origin = "the file itself";
    compiled.target = target;
    std::vector<std::string> targets{target};
    if (!module.targets.empty() && module.targets.front() != target)
        targets.push_back(module.targets.front());
    if (!assemble(text, targets, compiled))
        file.unknown = fmt::format(
            "Registers are not known, so occupancy leaves them out: the CUDA Toolkit's ptxas, which assigns "
            "them, is not installed, does not accept this file or needs more than {} s for it.",
            Assembler::most_seconds);
    return file;
}

}  // namespace warplens::instrumentation
