// The space's parameter behind the kernel's own, and what forbids it.
#include <fmt/format.h>

#include <algorithm>

#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint32_t most_parameter_bytes = 4096;  // 32764 from compute capability 7.0 with new drivers

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
    if (bytes > most_parameter_bytes - sizeof(SpaceParameter) - 8)
        return fail(
            "the parameters of {} take {} bytes; recording needs {} more, and a kernel may have {} in all",
            function.name, bytes, sizeof(SpaceParameter), most_parameter_bytes);
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
