// Names inside one function body while it is parsed: scopes, what a name means here, and the unique name that
// each declaration gets ("p", "p$1", …), since a Function keeps its body as one flat list.
// Labels may be used before they are defined; their references are patched when the scope that defines them
// closes.
#pragma once

#include <cstdint>
#include <optional>
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

/// Variables and functions of the module that have been declared so far.
class ModuleNames {
  public:
    void add(const std::string& name) {
        names_.insert(name);
        has_register_like_ |= !name.empty() && name.front() == '%';
    }
    bool contains(std::string_view name) const { return names_.contains(name); }
    bool has_register_like() const { return has_register_like_; }  // some name begins with %

  private:
    std::unordered_set<std::string, TransparentHash, std::equal_to<>> names_;
    bool has_register_like_ = false;
};

class FunctionNames {
  public:
    enum class Kind : std::uint8_t { variable, reg };
    /// What a name means.
    struct Meaning {
        Kind kind = Kind::variable;
        std::uint32_t register_index = 0;
        std::string_view unique_name;  // of a variable
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
    explicit FunctionNames(const ModuleNames& module_names) : module_names_(module_names), scopes_(1) {}

    std::size_t depth() const { return scopes_.size(); }
    void open_scope() { scopes_.emplace_back(); }
    /// Ends the innermost scope; its labels' references come back, those still open move outward.
    std::vector<ResolvedLabel> close_scope();
    /// References that no scope resolved; call it when the last scope is closed.
    const std::vector<LabelReference>& unresolved() const { return unresolved_; }

    /// The unique name; empty when this scope declares the name already.
    std::string declare(std::string_view name, Kind kind, std::uint32_t register_index = 0);
    /// The registers "%r0" … of `.reg %r<count>` at once, keeping their names, which is what nearly all
    /// registers are. False when some name could be taken or this is an inner scope: declare them one by one.
    bool declare_range(std::string_view prefix, std::uint64_t count, std::uint32_t first_register);
    /// Nothing when no visible variable or register of this function has the name.
    std::optional<Meaning> find(std::string_view name) const;
    /// From here on no declaration gets this as its unique name. A name that is kept as written although no
    /// declaration gives it a meaning would get one in the printed text, which declares all registers first.
    /// False when a register or variable has the unique name already.
    bool reserve(std::string_view name);

    /// The label's unique name; empty when this scope has it already.
    std::string declare_label(std::string_view name);
    void refer_to_label(LabelReference reference) { scopes_.back().references.push_back(reference); }

  private:
    struct Binding {
        Kind kind = Kind::variable;
        std::uint32_t register_index = 0;
        std::string unique_name;
        std::size_t scope_depth = 0;
    };
    struct Range {
        std::uint64_t count = 0;
        std::uint32_t first_register = 0;
    };
    struct Entry {
        std::int32_t binding = -1;  // index into bindings_; -1: not visible here
        bool is_taken = false;      // some declaration or label has this unique name
        bool is_declared = false;   // some declaration has it
        bool is_reserved = false;   // see reserve()
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

    enum class Holder : std::uint8_t { declaration, label };
    std::string make_unique(std::string_view name, Entry& entry, Holder holder);
    std::optional<std::uint32_t> register_in_range(std::string_view name) const;
    bool is_taken(std::string_view name, const Entry& entry) const;

    const ModuleNames& module_names_;
    NameMap<Entry> entries_;
    NameMap<Range> ranges_;  // by prefix; all of body scope
    std::vector<Binding> bindings_;
    std::vector<Scope> scopes_;
    std::vector<LabelReference> unresolved_;
};

}  // namespace warplens::ptx
