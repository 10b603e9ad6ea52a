#include "instrumentation/host_program/program_entry.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "instrumentation/host_code/lambdas.h"

namespace warplens::instrumentation {

namespace {

/// "lambda_in_line_18" of "void run(F) [with F = LambdaAt<18, main()::<lambda(int)> >]"; empty: it has none.
std::string lambda_of(const std::string& function) {
    constexpr std::string_view mark = "LambdaAt<";
    const std::size_t at = function.find(mark);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + mark.size(), end = function.find_first_not_of("0123456789", begin);
    return std::string(host_code::lambda_name) + function.substr(begin, end - begin);
}

bool has_lambda(const std::string& name, const std::string& lambda) {
    if (lambda.empty()) return true;
    const std::size_t at = name.find(lambda);
    return at != std::string::npos &&
           (at + lambda.size() == name.size() ||
            std::isdigit(static_cast<unsigned char>(name[at + lambda.size()])) == 0);
}

}  // namespace

const EntryFacts* entry_of(const ProgramLaunch& launch, const std::vector<EntryFacts>& entries) {
    for (const EntryFacts& entry : entries)
        if (!launch.symbol.empty() && entry.symbol == launch.symbol) return &entry;
    const std::string lambda = lambda_of(launch.function);
    const EntryFacts* found = nullptr;
    for (const EntryFacts& entry : entries) {
        const std::string whole = without_hidden_namespaces(entry.name);
        const std::string name = whole.substr(0, whole.find_first_of("<("));
        const bool same_sizes =
            std::ranges::equal(entry.parameters, launch.arguments, {}, &Parameter::bytes,
                               [](const ProgramArgument& argument) { return argument.bytes.size(); });
        if (name != launch.plain_name() || !same_sizes || !has_lambda(whole, lambda)) continue;
        if (found != nullptr) return nullptr;
        found = &entry;
    }
    return found;
}

}  // namespace warplens::instrumentation
