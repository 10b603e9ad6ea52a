// Expressions of host code over values that may be unknown. The grammar is C++'s operators by their
// precedence; names, calls and launches are asked of whoever evaluates. An expression that is not understood
// is unknown, never an error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instrumentation/host_code/value.h"

namespace warplens::instrumentation::host_code {

/// What a call looks like: "sums::scale<float>(x, y)", "v.size()".
struct Call {
    std::string name;                             // the last word: "scale", "size"
    std::string scope;                            // "sums"
    std::vector<std::string> template_arguments;  // as written, constants evaluated
    std::vector<Value> arguments;
    std::vector<Value> launch;    // between <<< and >>>
    std::optional<Value> object;  // of a member function
    Origin origin;
};

class Names {
  public:
    virtual ~Names() = default;
    virtual Value look_up(const std::string& name, Origin origin) = 0;
    virtual Value member(const Value& object, const std::string& name, Origin origin) = 0;
    virtual Value call(const Call& call) = 0;
    virtual Value index(const Value& of, const Value& at) = 0;
    virtual Value assign(const Value& to, const Value& value, Origin origin) = 0;
    /// in >> x
    virtual void read_from_stream(const Value& to, Origin origin) = 0;
    /// An alias or a template parameter as what it stands for; the type itself otherwise.
    virtual std::string resolved(const std::string& type) = 0;
    virtual std::optional<std::int64_t> size_of(const std::string& type) = 0;
    virtual bool is_type(const std::string& name) = 0;
};

/// The expression from `at` on, as far as it goes; `at` moves after it.
Value evaluate(const Tokens& tokens, std::size_t& at, std::size_t end, Names& names,
               bool with_commas = false);

/// A type from `at` on: "const unsigned int*", "std::vector<float>"; empty, and `at` stays, when there is
/// none.
std::string read_type(const Tokens& tokens, std::size_t& at, std::size_t end, Names& names);

/// Template arguments between their brackets: types resolved, constants as numbers.
std::vector<std::string> read_template_arguments(const Tokens& tokens, std::size_t begin, std::size_t end,
                                                 Names& names);

/// An integer of literals and operators alone, as #if has it: names are 0.
std::optional<std::int64_t> constant_of(const Tokens& tokens);

}  // namespace warplens::instrumentation::host_code
