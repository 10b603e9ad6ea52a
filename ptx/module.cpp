#include "ptx/module.h"

#include <algorithm>
#include <limits>

namespace warplens::ptx {

namespace {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    const auto most = std::numeric_limits<std::uint64_t>::max();
    return b != 0 && a > most / b ? most : a * b;
}

}  // namespace

bool operator==(const Vector& a, const Vector& b) { return a.elements == b.elements; }
bool operator==(const Pair& a, const Pair& b) { return a.elements == b.elements; }
bool operator==(const List& a, const List& b) { return a.bracket == b.bracket && a.elements == b.elements; }

bool Instruction::has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::uint64_t VariableDeclaration::element_count() const {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : extents) count = saturating_product(count, extent);
    return count;
}

std::uint64_t VariableDeclaration::bytes() const {
    return saturating_product(element_count(), static_cast<std::uint64_t>(size_of(type) * vector_width));
}

const Function* Module::find_function(std::string_view name) const {
    const Function* declaration = nullptr;
    for (const Function& function : functions) {
        if (function.name != name) continue;
        if (!function.is_declaration) return &function;
        declaration = &function;
    }
    return declaration;
}

std::vector<const Function*> Module::entries() const {
    std::vector<const Function*> found;
    for (const Function& function : functions)
        if (function.is_entry && !function.is_declaration) found.push_back(&function);
    return found;
}

}  // namespace warplens::ptx
