#include "ptx/support.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "ptx/opcodes.h"

namespace warplens::ptx {

std::vector<UnsupportedForm> list_unsupported(const Module& module,
                                              const std::vector<std::uint32_t>& functions,
                                              const std::function<bool(const Instruction&)>& is_executable) {
    std::vector<UnsupportedForm> forms;
    std::unordered_map<std::string_view, std::size_t> by_spelling;
    for (const std::uint32_t function : functions) {
        for (const Statement& statement : module.functions[function].body) {
            const auto* instruction = std::get_if<Instruction>(&statement);
            if (instruction == nullptr || is_executable(*instruction)) continue;
            const auto [found, is_new] = by_spelling.emplace(instruction->spelling, forms.size());
            if (is_new)
                forms.push_back({instruction->spelling, explain_unlisted(*instruction).value_or(""),
                                 instruction->ptx_line.value, 0});
            UnsupportedForm& form = forms[found->second];
            ++form.count;
            form.ptx_line = std::min(form.ptx_line, instruction->ptx_line.value);
        }
    }
    std::sort(forms.begin(), forms.end(),
              [](const UnsupportedForm& a, const UnsupportedForm& b) { return a.ptx_line < b.ptx_line; });
    return forms;
}

}  // namespace warplens::ptx
