// Names inside one function body while it is parsed: scopes, what a name means here, and the unique name that
// each declaration gets ("p", "p$1", …), since a Function keeps its body as one flat list.
// Labels may be used before they stand; their references are patched when the scope that defines them closes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/lexer.h"

namespace warplens::ptx {

struct TransparentHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using NameMap = std::unordered_map<std::string, Value, TransparentHash, std::equal_to<>>;
using NameSet = std::unordered_set<std::string, TransparentHash, std::equal_to<>>;

class FunctionNames {
  public:
    enum class Kind : std::uint8_t { variable, reg };
    struct Binding {
        Kind kind = Kind::variable;
        std::uint32_t register_index = 0;
        std::string unique_name;
        std::size_t scope_depth = 0;
    };
    /// Operand `operand` of statement `statement` names a label that was written as `where`.
    struct LabelReference {
        Token where;
        std::size_t statement = 0;
        std::size_t operand = 0;
    };
    struct ResolvedLabel {
        LabelReference reference;
        std::string unique_name;
    };

    /// Names of the module count as taken; they outlive this object.
    explicit FunctionNames(const NameSet& module_names) : module_names_(module_names), scopes_(1) {}

    std::size_t depth() const { return scopes_.size(); }
    void open_scope() { scopes_.emplace_back(); }
    /// Ends the innermost scope; its labels' references come back, those still open move outward.
    std::vector<ResolvedLabel> close_scope();
    /// References that no scope resolved; call it when the last scope is closed.
    const std::vector<LabelReference>& unresolved() const { return unresolved_; }

    /// Null when the name stands in this scope already.
    const Binding* declare(std::string_view name, Kind kind, std::uint32_t register_index = 0);
    /// Null when the name is no variable or register of this function that is visible here.
    const Binding* find(std::string_view name) const;

    /// The label's unique name; empty when it stands in this scope already.
    std::string declare_label(std::string_view name);
    void refer_to_label(LabelReference reference) { scopes_.back().references.push_back(reference); }

  private:
    struct Entry {
        std::int32_t binding = -1;  // index into bindings_; -1: not visible here
        bool is_taken = false;      // some declaration has this unique name
        std::uint32_t next_suffix = 1;
    };
    struct Hidden {
        Entry* entry;
        std::int32_t binding;  // to come back when the scope closes
    };
    struct Scope {
        std::vector<Hidden> hidden;
        NameMap<std::string> labels;  // as written -> unique
        std::vector<LabelReference> references;
    };

    std::string make_unique(std::string_view name, Entry& entry);

    const NameSet& module_names_;
    NameMap<Entry> entries_;
    std::vector<Binding> bindings_;
    std::vector<Scope> scopes_;
    std::vector<LabelReference> unresolved_;
};

}  // namespace warplens::ptx
