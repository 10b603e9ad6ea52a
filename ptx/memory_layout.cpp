#include "ptx/memory_layout.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace warplens::ptx {

namespace {

std::uint64_t align_up(std::uint64_t offset, std::uint32_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

/// nvcc declares every array as .b8; only an array that is aligned to single bytes surely holds bytes.
std::uint32_t element_bytes(const VariableDeclaration& variable) {
    if (variable.type == Type::b8 && !variable.extents.empty()) return alignment_of(variable) == 1 ? 1 : 0;
    return static_cast<std::uint32_t>(size_of(variable.type) * variable.vector_width);
}

class Layout {
  public:
    std::vector<Variable> variables;

    void add(const VariableDeclaration& declaration) {
        const bool is_listed = declaration.space == Space::shared || declaration.space == Space::constant ||
                               declaration.space == Space::global;
        if (!is_listed) return;
        if (declaration.linkage == "extern" && declaration.space == Space::shared) {
            dynamic_.push_back(&declaration);
            return;
        }
        std::uint64_t& end = ends_[static_cast<std::size_t>(declaration.space)];
        const std::uint64_t offset = align_up(end, alignment_of(declaration));
        variables.push_back(
            {declaration.name, declaration.space, offset, declaration.bytes(), element_bytes(declaration)});
        end = offset + declaration.bytes();
    }

    void add_dynamic() {
        std::uint32_t alignment = 1;
        for (const VariableDeclaration* declaration : dynamic_)
            alignment = std::max(alignment, alignment_of(*declaration));
        const std::uint64_t offset = align_up(ends_[static_cast<std::size_t>(Space::shared)], alignment);
        for (const VariableDeclaration* declaration : dynamic_)
            variables.push_back({declaration->name, Space::shared, offset, 0, element_bytes(*declaration)});
    }

  private:
    std::array<std::uint64_t, 6> ends_{};  // one per Space
    std::vector<const VariableDeclaration*> dynamic_;
};

}  // namespace

std::uint32_t alignment_of(const VariableDeclaration& variable) {
    if (variable.alignment != 0) return variable.alignment;
    return static_cast<std::uint32_t>(std::max(1, size_of(variable.type) * variable.vector_width));
}

std::vector<Variable> lay_out_variables(const Module& module, const Reachable& reachable) {
    Layout layout;
    std::unordered_set<std::string_view> seen;  // a declaration and its definition are one variable
    for (const std::uint32_t index : reachable.variables)
        if (seen.insert(module.variables[index].name).second) layout.add(module.variables[index]);
    for (const std::uint32_t function : reachable.functions)
        for (const Statement& statement : module.functions[function].body)
            if (const auto* variable = std::get_if<VariableDeclaration>(&statement))
                if (reachable.uses(variable->name)) layout.add(*variable);
    layout.add_dynamic();
    return std::move(layout.variables);
}

std::vector<Parameter> lay_out_parameters(const Function& entry) {
    std::vector<Parameter> parameters;
    std::uint64_t end = 0;
    for (const VariableDeclaration& declaration : entry.parameters) {
        const std::uint64_t offset = align_up(end, alignment_of(declaration));
        parameters.push_back({declaration.name, std::string(to_string(declaration.type)),
                              static_cast<std::uint32_t>(declaration.bytes()),
                              static_cast<std::uint32_t>(offset)});
        end = offset + declaration.bytes();
    }
    return parameters;
}

}  // namespace warplens::ptx
