#include "ptx/reachable.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace warplens::ptx {

namespace {

template <class Visitor>
void visit_symbols(const Operand& operand, const Visitor& visit) {
    if (const auto* symbol = std::get_if<Symbol>(&operand.value)) {
        visit(symbol->name);
    } else if (const auto* address = std::get_if<Address>(&operand.value)) {
        if (const auto* base = std::get_if<Symbol>(&address->base)) visit(base->name);
    } else if (const auto* vector = std::get_if<Vector>(&operand.value)) {
        for (const Operand& element : vector->elements) visit_symbols(element, visit);
    } else if (const auto* list = std::get_if<List>(&operand.value)) {
        for (const Operand& element : list->elements) visit_symbols(element, visit);
    } else if (const auto* pair = std::get_if<Pair>(&operand.value)) {
        for (const Operand& element : pair->elements) visit_symbols(element, visit);
    }
}

class Walk {
  public:
    explicit Walk(const Module& module) : module_(module) {
        // A kernel that another one names is launched, not called: it is a grid of its own.
        for (std::uint32_t i = 0; i < module.functions.size(); ++i)
            if (!module.functions[i].is_declaration && !module.functions[i].is_entry)
                functions_.emplace(module.functions[i].name, i);
        for (std::uint32_t i = 0; i < module.variables.size(); ++i)
            variables_.emplace(module.variables[i].name, i);
    }

    Reachable from(std::uint32_t entry) {
        names_.insert(module_.functions[entry].name);
        reach_function(entry);
        while (!open_.empty()) {
            const std::uint32_t next = open_.back();
            open_.pop_back();
            for (const Statement& statement : module_.functions[next].body)
                if (const auto* instruction = std::get_if<Instruction>(&statement))
                    for (const Operand& operand : instruction->operands)
                        visit_symbols(operand, [&](const std::string& name) { reach(name); });
            reach_initialisers();
        }
        Reachable result;
        std::sort(found_functions_.begin(), found_functions_.end());
        result.functions.push_back(entry);
        for (const std::uint32_t function : found_functions_)
            if (function != entry) result.functions.push_back(function);
        std::sort(found_variables_.begin(), found_variables_.end());
        result.variables = std::move(found_variables_);
        result.names.assign(names_.begin(), names_.end());
        std::sort(result.names.begin(), result.names.end());
        return result;
    }

  private:
    void reach(std::string_view name) {
        if (!names_.insert(name).second) return;
        if (const auto function = functions_.find(name); function != functions_.end())
            reach_function(function->second);
        // Declarations and the definition share a name.
        const auto [first, last] = variables_.equal_range(name);
        for (auto variable = first; variable != last; ++variable)
            found_variables_.push_back(variable->second);
    }

    void reach_function(std::uint32_t function) {
        found_functions_.push_back(function);
        open_.push_back(function);
    }

    void reach_initialisers() {
        for (; initialised_ < found_variables_.size(); ++initialised_)
            for (const InitialValue& value : module_.variables[found_variables_[initialised_]].initial)
                if (const auto* symbol = std::get_if<Symbol>(&value)) reach(symbol->name);
    }

    const Module& module_;
    std::unordered_map<std::string_view, std::uint32_t> functions_;
    std::unordered_multimap<std::string_view, std::uint32_t> variables_;
    std::unordered_set<std::string_view> names_;
    std::vector<std::uint32_t> open_, found_functions_, found_variables_;
    std::size_t initialised_ = 0;
};

}  // namespace

bool Reachable::uses(std::string_view name) const {
    return std::binary_search(names.begin(), names.end(), name);
}

Result<Reachable> reachable_from(const Module& module, std::string_view entry) {
    for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
        const Function& function = module.functions[i];
        if (function.is_entry && !function.is_declaration && function.name == entry)
            return Walk(module).from(i);
    }
    std::string names;
    for (const Function* function : module.entries()) names += (names.empty() ? "" : ", ") + function->name;
    return fail("the PTX has no entry \"{}\"; its entries are: {}", entry, names.empty() ? "none" : names);
}

}  // namespace warplens::ptx
