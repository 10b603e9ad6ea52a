// The space's parameter after the kernel's own, and what forbids it.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/number_text.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

/// The digits from `at` on as a number; 0 where there are none.
int number_at(std::string_view text, std::size_t at) {
    std::string_view left = text.substr(std::min(at, text.size()));
    return take_number<int>(left).value_or(0);
}

/// More than 4,096 bytes need PTX 8.1 and compute capability 7.0 (PTX ISA, "Kernel Function Parameters").
std::uint32_t most_parameter_bytes(const ptx::Module& module) {
    const int major = number_at(module.version, 0),
              minor = number_at(module.version, module.version.find('.') + 1);
    const bool has_target = !module.targets.empty() && module.targets.front().starts_with("sm_");
    const int capability = has_target ? number_at(module.targets.front(), 3) : 0;
    return (major > 8 || (major == 8 && minor >= 1)) && capability >= 70 ? 32764 : 4096;
}

bool is_ours(std::string_view name) {
    return name.find("warplens_") == 0 || name.find("%warplens_") == 0 || name.find("$warplens_") == 0;
}

}  // namespace

Status add_space_parameter(Draft& draft) {
    const FunctionDraft& entry = draft.functions.front();
    ptx::Function& function = draft.body_of(entry);
    for (const ptx::Function& other : draft.module.functions) {
        for (const ptx::Register& reg : other.registers)
            if (is_ours(reg.name))
                return fail("the PTX has a register \"{}\": it is instrumented already", reg.name);
        for (const ptx::VariableDeclaration& parameter : other.parameters)
            if (is_ours(parameter.name))
                return fail("the PTX has a parameter \"{}\": it is instrumented already", parameter.name);
    }
    std::uint32_t bytes = 0;
    for (const Parameter& parameter : draft.numbered.program.parameters)
        bytes = std::max(bytes, parameter.offset + parameter.bytes);
    const std::uint32_t most = most_parameter_bytes(draft.module);
    const std::uint32_t begin = (bytes + 7) / 8 * 8;
    if (begin + sizeof(SpaceParameter) > most)
        return fail("the parameters of {} take {} bytes; recording adds {}, and a kernel may have {} in all",
                    function.name, bytes, begin + sizeof(SpaceParameter) - bytes, most);
    ptx::VariableDeclaration parameter;
    parameter.name = space_parameter_name;
    parameter.space = Space::param;
    parameter.type = ptx::Type::b8;
    parameter.alignment = 8;
    parameter.extents = {sizeof(SpaceParameter)};
    function.parameters.push_back(std::move(parameter));
    const bool is_limited =
        std::any_of(function.performance_directives.begin(), function.performance_directives.end(),
                    [](const std::string& directive) { return directive.compare(0, 8, ".maxnreg") == 0; });
    if (draft.options.max_registers != 0 && !is_limited)
        function.performance_directives.push_back(fmt::format(".maxnreg {}", draft.options.max_registers));
    return {};
}

}  // namespace warplens::instrumentation
