// What a launch that is guessed from host code prints: each number with its line.
#include "instrumentation/catalog/guessed_values.h"

#include <algorithm>
#include <string_view>

#include "instrumentation/catalog/doubtful_arguments.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/catalog/launched_kernels.h"
#include "instrumentation/compile/included_files.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

using host_code::HostCode;
using host_code::Origin;

std::string place_in_code(const Origin& origin, const HostCode& code) {
    if (origin.line == 0) return {};
    if (origin.file == 0 || origin.file >= code.files.size()) return "line " + std::to_string(origin.line);
    return code.files[origin.file] + ":" + std::to_string(origin.line);
}

std::string place_in_code(const Origin& origin, bool assumed, const HostCode& code) {
    const std::string place = place_in_code(origin, code);
    return !assumed ? place : place.empty() ? "size assumed" : place + ", size assumed";
}

std::string text_with_headers(const KernelFile& kernel) {
    if (kernel.language == Language::cubin) return {};
    std::string text = kernel.source;
    if (kernel.language == Language::ptx) return text;
    const auto files = source_and_headers(kernel.path, kernel.source, kernel.include_paths).files;
    for (std::size_t i = 1; i < files.size(); ++i) text += "\n" + files[i].text;
    return text;
}

std::vector<std::string> unfilled_variables(const KernelFile& kernel, const HostCode& code) {
    std::vector<std::string> sentences;
    const std::string text = text_with_headers(kernel);
    for (const auto& [name, storage] : code.copied_symbols)
        if (has_word(text, name) && !initializer_of(storage))
            sentences.push_back(
                fmt::format("`{}` holds what its declaration says, 0 without an initializer: {} fills it in "
                            "{}. Give it an initializer; the program overwrites that when it runs",
                            name, storage.contents.by.empty() ? "the host" : storage.contents.by,
                            place_in_code(storage.contents.origin, code)));
    return sentences;
}

std::vector<std::string> guessed_values(const LaunchDraft& draft, const KernelFile& kernel,
                                        const HostCode& code) {
    const auto source = [](const std::string& from) {
        return from.empty() ? std::string(" (from names and types)") : " (" + from + ")";
    };
    const auto extent = [](const std::vector<std::string>& texts) {
        std::string text;
        for (const std::string& side : texts)
            if (!side.empty()) text += (text.empty() ? "" : " × ") + side;
        constexpr std::string_view no_extent = " × 1";
        while (text.ends_with(no_extent)) text.resize(text.size() - no_extent.size());
        return text;
    };
    std::vector<std::string> sentences;
    sentences.push_back(fmt::format(
        "{}: the launch of {} is guessed from {}: grid {}{}, block {}{}{}{}", kernel.path, draft.entry,
        draft.from, extent(draft.grid), source(draft.grid_from), extent(draft.block),
        source(draft.block_from), draft.cluster.empty() ? "" : ", clusters of " + extent(draft.cluster),
        draft.dynamic_shared_bytes == "0"
            ? ""
            : fmt::format(", {} bytes of dynamic shared memory{}", draft.dynamic_shared_bytes,
                          draft.shared_guessed ? " (not followed)" : "")));
    std::string arguments;
    for (const DraftArgument& row : draft.arguments) {
        arguments += arguments.empty() ? "arguments: " : ", ";
        const std::string offset = row.offset.empty() ? "" : " + " + row.offset;
        if (!row.shares.empty()) arguments += fmt::format("{}={}{}", row.name, row.shares, offset);
        else if (row.kind == DraftArgument::Kind::buffer)
            arguments += fmt::format("{} {}[{}]{}={}", row.name, row.element_type, row.length, offset,
                                     row.written         ? "written before"
                                     : row.value.empty() ? row.fill
                                                         : row.fill + ":" + row.value);
        else arguments += fmt::format("{}={}", row.name, row.value);
        arguments += source(row.from);
    }
    if (!arguments.empty()) sentences.push_back(arguments);
    for (const std::vector<DraftArgument>* rows : {&draft.arguments, &draft.targets})
        for (const DraftArgument& row : *rows)
            if (const std::string words = contents_words(row); !words.empty())
                sentences.push_back(fmt::format("{}: {}", row.name, words));
    const std::string text = text_with_headers(kernel);
    for (const auto& [name, storage] : code.copied_symbols) {
        if (!has_word(text, name)) continue;
        const std::string line = place_in_code(storage.contents.origin, code);
        if (initializer_of(storage))
            sentences.push_back(
                storage.contents.formula && storage.contents.formula->has_random
                    ? fmt::format(
                          "`{}` holds random numbers in the range of those that the host copies to it in {}",
                          name, line)
                    : fmt::format("`{}` holds what the host copies to it in {}", name, line));
    }
    std::ranges::move(unfilled_variables(kernel, code), std::back_inserter(sentences));
    sentences.push_back(
        "change them with --set NAME=VALUE, --grid, --block, --dynamic-shared and --arg, or take the "
        "program's "
        "own with --run-program; another kernel with " +
        other_kernels(draft, code));
    return sentences;
}

}  // namespace warplens::instrumentation
