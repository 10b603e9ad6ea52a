#include "instrumentation/catalog/expected_problems.h"

#include <sstream>

#include "instrumentation/catalog/expressions.h"

namespace warplens::instrumentation {

ExpectedProblems expected_problems(const std::string& source) {
    const std::string mark = "// expect:";
    ExpectedProblems expected;
    std::istringstream lines(source);
    std::string text;
    for (std::uint32_t line = 1; std::getline(lines, text); ++line) {
        const auto at = text.find(mark);
        if (at == std::string::npos) continue;
        std::istringstream kinds(text.substr(at + mark.size()));
        for (std::string kind; kinds >> kind;) expected[kind].insert(line);
    }
    return expected;
}

Result<bool> is_wrong_on_purpose(const KernelFile& kernel, const Values& parameters) {
    if (kernel.wrong.empty()) return false;
    WARPLENS_TRY(auto expressions, Expressions::over(kernel, parameters));
    const auto wrong = expressions.integer(kernel.wrong, 0, 1);
    if (!wrong) return fail("{}: wrong: {}", kernel.name, wrong.error().message);
    return *wrong != 0;
}

}  // namespace warplens::instrumentation
