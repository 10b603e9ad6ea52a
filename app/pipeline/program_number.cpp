#include "app/pipeline/program_number.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>
#include <vector>

#include "app/pipeline/text_numbers.h"
#include "instrumentation/host_code/named_numbers.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;
using catalog::host_code::NamedNumber;

constexpr std::size_t most_tried = 4;

bool names(const std::string& expression, const std::string& word) {
    const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    for (std::size_t at = expression.find(word); at != std::string::npos;
         at = expression.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !is_part(static_cast<unsigned char>(expression[at - 1]));
        const bool ends = end >= expression.size() || !is_part(static_cast<unsigned char>(expression[end]));
        if (begins && ends) return true;
    }
    return false;
}

std::string value_of(const catalog::LaunchDraft& draft, const std::string& argument) {
    const auto row = std::ranges::find(draft.arguments, argument, &catalog::DraftArgument::name);
    return row == draft.arguments.end() ? std::string() : row->value;
}

std::vector<NamedNumber> candidates(const std::string& source, const WantedArgument& argument) {
    std::vector<NamedNumber> found = catalog::host_code::named_numbers(source);
    std::erase_if(found, [&](const NamedNumber& number) { return number.value != argument.before; });
    std::stable_partition(found.begin(), found.end(), [&](const NamedNumber& number) {
        return is_same_word(number.name, argument.name);
    });
    if (found.size() > most_tried) found.resize(most_tried);
    return found;
}

}  // namespace

std::string length_from(const catalog::LaunchDraft& draft, const std::string& argument) {
    for (const auto* rows : {&draft.arguments, &draft.targets})
        for (const catalog::DraftArgument& row : *rows)
            if (row.fill == "file" && names(row.length, argument)) return row.name;
    return {};
}

std::optional<std::string> with_number(const std::string& source, const TextNumber& number) {
    for (const NamedNumber& one : catalog::host_code::named_numbers(source)) {
        if (one.name != number.name || one.value != number.before) continue;
        std::string changed = source;
        return changed.replace(one.offset, one.digits, std::to_string(number.after));
    }
    return std::nullopt;
}

Result<ProgramInputs> inputs_with_argument(Pipeline& pipeline, const ProgramInputsRequest& request) {
    const WantedArgument& argument = *request.argument;
    const std::string wanted = std::to_string(argument.value);
    for (const NamedNumber& number : candidates(request.kernel.source, argument)) {
        const TextNumber changed{number.name, number.line, argument.before, argument.value};
        ProgramInputsRequest asked = request;
        asked.argument.reset();
        asked.kernel.source = with_number(request.kernel.source, changed).value_or(request.kernel.source);
        // Other contents than those of the launch that is shown now.
        asked.folder = (std::filesystem::path(request.folder) / (number.name + "=" + wanted)).string();
        auto inputs = program_inputs(pipeline, asked);
        if (request.cancelled && request.cancelled()) return fail("the run was cancelled");
        if (!inputs || value_of(inputs->draft, argument.name) != wanted) continue;
        inputs->number = changed;
        inputs->said.front() += fmt::format(", with `{}` {} in line {} instead of {}", number.name, wanted,
                                            number.line, argument.before);
        return inputs;
    }
    return fail(
        "{}: the program gives `{}` the value {}, and no number of its text alone changes that. Change the "
        "program so that it gives {}, and run it again",
        request.kernel.path, argument.name, argument.before, wanted);
}

}  // namespace warplens::app
