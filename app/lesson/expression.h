// Expression: Lua over names such as `shared_load.conflict_ways` or `tiled.steps`, as lessons write truths.
// Names with a dot are numbers of a launch; plain names are the lesson's values, `truth` and `answer`. The
// caller provides the numbers (app/lesson/lesson_numbers.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"

namespace warplens::app {

/// A name that an expression reads: "tiled.global_load.requests", "truth", "element".
struct ExpressionName {
    std::string name;
    std::size_t begin = 0, end = 0;  // in the text
};

/// Names of Lua itself and of its functions (`math.floor`, `and`, `ceil_div`) are left out.
std::vector<ExpressionName> names_in(const std::string& expression);

/// The error says why it is not an expression.
Status check_syntax(const std::string& expression);

using ReadNumber = std::function<Result<double>(const std::string& name)>;

Result<double> evaluate(const std::string& expression, const ReadNumber& read);
/// "a == b and c > 3"
Result<bool> holds(const std::string& condition, const ReadNumber& read);

/// The expressions in braces of prose, outside of `code`: "{truth} wavefronts". "{{" is a brace.
std::vector<std::string> expressions_in(const std::string& prose);
/// The prose with its expressions replaced by what `write` makes of them.
Result<std::string> fill_in(const std::string& prose,
                            const std::function<Result<std::string>(const std::string&)>& write);

}  // namespace warplens::app
