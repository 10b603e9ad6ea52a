#include "app/pipeline/program_variables.h"

#include <algorithm>

#include "app/pipeline/earlier_runs.h"

namespace warplens::app {

namespace catalog = instrumentation;

std::vector<VariableContents> ProgramVariables::before(const catalog::ProgramLaunch& launch,
                                                       catalog::RunningProgram& program) const {
    std::vector<VariableContents> all;
    for (const catalog::ProgramVariable& variable : launch.variables) {
        const auto bytes = program.memory(variable);
        all.push_back({variable.name,
                       std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()),
                       launch.arena + variable.offset});
    }
    for (const auto& [symbol, bytes] : kept_)
        if (contents_of(symbol, all) == nullptr) all.push_back({symbol, bytes});
    return all;
}

void ProgramVariables::after(const catalog::ProgramLaunch& launch, catalog::RunningProgram& program,
                             const Program& module, const simt::GlobalMemory& memory) {
    for (const std::string& symbol : changing_variables(module)) {
        const simt::Allocation* const held = memory.find(symbol);
        if (held == nullptr) continue;
        const auto end = held->data.begin() + static_cast<std::ptrdiff_t>(held->bytes);
        kept_[symbol] = std::make_shared<const std::vector<std::byte>>(held->data.begin(), end);
        for (const catalog::ProgramVariable& variable : launch.variables)
            if (is_variable(symbol, variable.name)) give(variable.name, program.memory(variable));
    }
}

void ProgramVariables::give(const std::string& name, std::span<std::byte> memory) const {
    for (const auto& [symbol, bytes] : kept_)
        if (is_variable(symbol, name))
            std::copy_n(bytes->begin(), std::min(bytes->size(), memory.size()), memory.begin());
}

}  // namespace warplens::app
