#include "app/pipeline/values/register_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "core/symbol_name.h"
#include "ptx/register_types.h"
#include "ptx/value_flow.h"

namespace warplens::app {
namespace {

/// A line of a source that declares one variable.
struct Declaration {
    std::string name;
    bool floating = false;
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The words before a declaration's equals sign: type, then name; empty: another kind of statement.
std::vector<std::string> declaring_words(std::string_view head) {
    std::vector<std::string> words(1);
    const std::size_t open = head.find('(');
    if (open != head.npos && head.substr(0, open).find("for") != head.npos) head.remove_prefix(open + 1);
    for (const char c : head) {
        if (in_word(c)) words.back() += c;
        else if (c != ' ' && c != '\t' && c != '*') return {};
        else if (!words.back().empty()) words.emplace_back();
    }
    static const std::set<std::string> qualifiers{"", "const", "volatile", "register", "__restrict__"};
    std::erase_if(words, [](const std::string& word) { return qualifiers.contains(word); });
    return words;
}

std::optional<Declaration> declared_on(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == line.npos || line.substr(equals).starts_with("==")) return std::nullopt;
    const std::vector<std::string> words = declaring_words(line.substr(0, equals));
    static const std::set<std::string> no_types{"return", "else", "auto"};
    if (words.size() < 2 || no_types.contains(words.front())) return std::nullopt;
    // Another variable of the same declaration: a comma outside brackets.
    int depth = 0;
    for (const char c : line.substr(equals, line.substr(equals).find(';'))) {
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c == ',' && depth == 0) return std::nullopt;
    }
    static const std::set<std::string> real{"float", "double", "half", "__half"};
    return Declaration{words.back(), real.contains(words[words.size() - 2])};
}

std::vector<std::string> rows_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// "n" of "const float* __restrict__ n" and of "float n[3]".
std::string last_word(std::string_view text) {
    text = text.substr(0, text.find('['));
    while (!text.empty() && !in_word(text.back())) text.remove_suffix(1);
    std::size_t begin = text.size();
    while (begin > 0 && in_word(text[begin - 1])) --begin;
    return std::string(text.substr(begin));
}

/// The parameter list that opens at `open`, split at its commas.
std::vector<std::string> names_in_list(std::string_view text, std::size_t open) {
    std::vector<std::string> names;
    int depth = 0;
    std::size_t begin = open + 1;
    for (std::size_t at = open; at < text.size(); ++at) {
        const char c = text[at];
        depth += (c == '(' || c == '<') - (c == ')' || c == '>');
        if (depth != 0 && !(c == ',' && depth == 1)) continue;
        names.push_back(last_word(text.substr(begin, at - begin)));
        begin = at + 1;
        if (depth == 0) break;
    }
    return names;
}

/// The names in the parameter list of the entry's definition; empty where it is not found.
std::vector<std::string> parameter_names(const Program& program) {
    const std::string entry = plain_name(program.entry);
    for (const SourceFile& source : program.sources) {
        const std::string_view text = source.text;
        for (std::size_t at = text.find(entry); at != text.npos; at = text.find(entry, at + 1)) {
            std::size_t open = at + entry.size();
            while (open < text.size() && text[open] == ' ') ++open;
            if (open >= text.size() || text[open] != '(' || (at > 0 && in_word(text[at - 1]))) continue;
            const std::size_t before = text.find_last_of(";{}", at);
            const std::size_t global = text.rfind("__global__", at);
            if (global == text.npos || (before != text.npos && global < before)) continue;
            return names_in_list(text, open);
        }
    }
    return {};
}

std::string special_name(std::string_view special) {
    static const std::map<std::string_view, std::string_view> stems{
        {"tid", "threadIdx"}, {"ntid", "blockDim"}, {"ctaid", "blockIdx"}, {"nctaid", "gridDim"}};
    const std::size_t dot = special.find('.');
    const auto stem = stems.find(special.substr(0, dot));
    if (stem == stems.end() || dot == std::string_view::npos) return "%" + std::string(special);
    return std::string(stem->second) + std::string(special.substr(dot));
}

class Naming {
  public:
    Naming(const ptx::Function& function, const Program& program)
        : function_(function), program_(program), names_(function.registers.size()) {}

    std::vector<std::string> name() {
        for (const ptx::Statement& statement : function_.body)
            if (const auto* instruction = std::get_if<ptx::Instruction>(&statement))
                instructions_.push_back(instruction);
        definitions_.resize(names_.size());
        for (const ptx::Instruction* instruction : instructions_)
            for (const std::uint32_t index : ptx::value_flow(*instruction).written) ++definitions_[index];
        if (function_.is_entry) parameters_ = parameter_names(program_);
        for (const ptx::Instruction* instruction : instructions_) name_source(*instruction);
        name_declared();
        for (const ptx::Instruction* instruction : instructions_) name_copy(*instruction);
        return std::move(names_);
    }

  private:
    /// The register that an instruction defines, if nothing else does.
    std::optional<std::uint32_t> only_result(const ptx::Instruction& instruction) const {
        if (instruction.operands.empty()) return std::nullopt;
        const auto* reg = std::get_if<ptx::RegisterOperand>(&instruction.operands[0].value);
        if (reg == nullptr || definitions_[reg->index] != 1) return std::nullopt;
        return reg->index;
    }
    void give(std::uint32_t index, const std::string& name) {
        if (names_[index].empty()) names_[index] = name;
    }
    void name_source(const ptx::Instruction& instruction) {
        const auto result = only_result(instruction);
        if (!result || instruction.operands.size() != 2) return;
        const auto& from = instruction.operands[1].value;
        if (instruction.opcode == "ld" && instruction.has("param")) {
            const auto* address = std::get_if<ptx::Address>(&from);
            const auto* symbol = address ? std::get_if<ptx::Symbol>(&address->base) : nullptr;
            if (symbol == nullptr || address->offset != 0 || symbol->offset != 0) return;
            const auto at = std::ranges::find(program_.parameters, symbol->name, &Parameter::name);
            const auto number = static_cast<std::size_t>(at - program_.parameters.begin());
            if (number < parameters_.size()) give(*result, parameters_[number]);
        } else if (instruction.opcode == "mov") {
            if (const auto* special = std::get_if<ptx::SpecialRegister>(&from))
                give(*result, special_name(special->name));
            if (const auto* symbol = std::get_if<ptx::Symbol>(&from); symbol && symbol->offset == 0)
                give(*result, plain_name(symbol->name));
        } else {
            name_copy(instruction);
        }
    }
    /// A move or a change of the address space keeps the name.
    void name_copy(const ptx::Instruction& instruction) {
        if (instruction.opcode != "mov" && instruction.opcode != "cvta") return;
        const auto result = only_result(instruction);
        if (!result || instruction.operands.size() != 2) return;
        if (const auto* from = std::get_if<ptx::RegisterOperand>(&instruction.operands[1].value);
            from && definitions_[from->index] == 1 && !names_[from->index].empty())
            give(*result, names_[from->index]);
    }

    /// The site of an instruction has its source line.
    void name_declared() {
        std::map<std::uint32_t, const Site*> sites;
        for (const Site& site : program_.sites) sites[site.ptx_line] = &site;
        using Line = std::pair<std::uint32_t, std::uint32_t>;
        std::map<Line, std::set<std::uint32_t>> written, used_elsewhere;
        std::set<Line> changing;  // where a register gets one of several values: it may be the variable
        std::map<std::uint32_t, Line> line_of;
        const auto line = [&](const ptx::Instruction& instruction) -> Line {
            const auto at = sites.find(instruction.ptx_line.value);
            return at == sites.end() ? Line{no_index, 0} : Line{at->second->file, at->second->line};
        };
        const std::vector<ptx::Type> types = ptx::register_types(function_);
        for (const ptx::Instruction* instruction : instructions_)
            for (const std::uint32_t index : ptx::value_flow(*instruction).written)
                if (definitions_[index] == 1) {
                    line_of[index] = line(*instruction);
                    written[line(*instruction)].insert(index);
                } else if (types[index] != ptx::Type::pred) {
                    changing.insert(line(*instruction));
                }
        for (const ptx::Instruction* instruction : instructions_) {
            const ptx::ValueFlow flow = ptx::value_flow(*instruction);
            for (const auto* registers : {&flow.read, &flow.address_registers})
                for (const std::uint32_t index : *registers)
                    if (const auto at = line_of.find(index);
                        at != line_of.end() && at->second != line(*instruction))
                        used_elsewhere[at->second].insert(index);
        }
        std::map<std::uint32_t, std::vector<std::string>> texts;
        for (const auto& [at, registers] : used_elsewhere) {
            if (at.first >= program_.sources.size()) continue;
            auto& lines = texts[at.first];
            if (lines.empty()) lines = rows_of(program_.sources[at.first].text);
            if (at.second == 0 || at.second > lines.size()) continue;
            const auto declared = declared_on(lines[at.second - 1]);
            if (!declared || changing.contains(at)) continue;
            std::vector<std::uint32_t> unnamed;
            for (const std::uint32_t index : registers)
                if (names_[index].empty() && types[index] != ptx::Type::pred) unnamed.push_back(index);
            if (unnamed.size() != 1) {
                name_of_special(declared->name, written[at], registers);
                continue;
            }
            const bool floating = ptx::class_of(types[unnamed[0]]) == ptx::TypeClass::floating;
            if (floating == declared->floating) give(unnamed[0], declared->name);
        }
    }
    /// `int i = threadIdx.x;`: the line only reads one special register, so its variable is this register.
    void name_of_special(const std::string& name, const std::set<std::uint32_t>& written,
                         const std::set<std::uint32_t>& used) {
        if (written.size() == 1 && used.size() == 1 && names_[*used.begin()].find('.') != std::string::npos)
            names_[*used.begin()] = name + " = " + names_[*used.begin()];
    }

    const ptx::Function& function_;
    const Program& program_;
    std::vector<std::string> names_;
    std::vector<const ptx::Instruction*> instructions_;
    std::vector<std::uint32_t> definitions_;
    std::vector<std::string> parameters_;
};

}  // namespace

std::vector<std::string> register_names(const ptx::Function& function, const Program& program) {
    return Naming(function, program).name();
}

}  // namespace warplens::app
