#include "app/scene/instruction_diff.h"

#include <algorithm>
#include <cctype>

#include "app/scene/line_diff.h"

namespace warplens::app {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The operands with register numbers left out and constants as "#".
std::string operand_form(std::string_view text) {
    std::string form;
    for (std::size_t at = 0; at < text.size();) {
        const bool after_letter = at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0;
        if (!is_digit(text[at])) {
            form += text[at++];
            continue;
        }
        // "0x1f" and "1.5" are one number; "R12" is a register.
        while (at < text.size() && (std::isxdigit(static_cast<unsigned char>(text[at])) != 0 ||
                                    text[at] == 'x' || text[at] == '.')) {
            // The parts of a register's name: "R12.reuse", "R4.64".
            if (after_letter && !is_digit(text[at])) break;
            ++at;
        }
        if (!after_letter) form += '#';
    }
    return form;
}

std::vector<std::string> forms_of(const Program& program) {
    std::vector<std::string> forms;
    for (const Site& site : program.sites) forms.push_back(form_of(site));
    return forms;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

}  // namespace

std::string form_of(const Site& site) {
    const std::size_t opcode = site.text.find(site.opcode);
    if (opcode == std::string::npos) return site.text;
    const std::size_t end = opcode + site.opcode.size();
    return operand_form(std::string_view(site.text).substr(0, opcode)) + site.opcode +
           operand_form(std::string_view(site.text).substr(end));
}

std::size_t InstructionDiff::count(InstructionPair::Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(pairs, kind, &InstructionPair::kind));
}

InstructionDiff diff_instructions(const Program& before, const Program& after) {
    InstructionDiff diff;
    for (const Site& site : before.sites) ++diff.opcodes[site.opcode].first;
    for (const Site& site : after.sites) ++diff.opcodes[site.opcode].second;
    const auto forms_before = forms_of(before), forms_after = forms_of(after);
    using Kind = InstructionPair::Kind;
    for (const DiffLine& line : diff_lines(views_of(forms_before), views_of(forms_after))) {
        if (line.kind == DiffLine::Kind::removed) {
            diff.pairs.push_back({Kind::removed, line.before, no_index});
        } else if (line.kind == DiffLine::Kind::added) {
            diff.pairs.push_back({Kind::added, no_index, line.after});
        } else {
            const bool same = before.sites[line.before].text == after.sites[line.after].text;
            diff.pairs.push_back({same ? Kind::same : Kind::operands, line.before, line.after});
        }
    }
    return diff;
}

}  // namespace warplens::app
