// HeaderFields: reads one field of a header's tables at a time, checks its kind, and says where a wrong one
// stands. What the fields mean is kernel_header.cpp's business. A field that is absent leaves `into` as it
// is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/header_tree.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/catalog/lua_sandbox.h"

namespace warplens::instrumentation {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name);

/// Letters, digits and underscores, no digit first.
bool is_identifier(const std::string& name);

class HeaderFields {
  public:
    explicit HeaderFields(std::string path) : path_(std::move(path)) {}

    template <class... Args>
    tl::unexpected<Error> error_at(const HeaderNode& node, fmt::format_string<Args...> format,
                                   Args&&... args) const {
        return fail("{}:{}: {}", path_, node.line, fmt::format(format, std::forward<Args>(args)...));
    }

    static const HeaderNode* member(const HeaderNode& table, std::string_view key);
    Status known_keys(const HeaderNode& node, const std::string& where, const Names& known) const;
    Status read_text(const HeaderNode& table, const char* key, std::string& into) const;
    Status read_choice(const HeaderNode& table, const char* key, const Names& allowed,
                       std::string& into) const;
    Status read_number(const HeaderNode& table, const char* key, std::optional<double>& into) const;
    Status read_expression(const HeaderNode& table, const char* key, std::string& into);

    Status read_flag(const HeaderNode& table, const char* key, bool& into) const;

    /// Whether something of the kernel may be called so: `kind` says what, for the error.
    Status check_name(const std::string& name, const HeaderNode& node, const char* kind,
                      const KernelFile& kernel) const;

    /// A text that is an expression, or a plain number.
    Status as_expression(const HeaderNode& node, const char* what, std::string& into);
    /// An integer, a real number or a word.
    Status as_value(const HeaderNode& node, const char* what, Value& into) const;

  private:
    std::string path_;
    LuaSandbox syntax_{LuaLimits{}};
};

}  // namespace warplens::instrumentation
