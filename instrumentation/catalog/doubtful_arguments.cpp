#include "instrumentation/catalog/doubtful_arguments.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

/// Bytes are pixels and flags rather than indices.
bool may_index(const std::string& type) {
    const ScalarType* const known = find_scalar_type(type);
    return known && known->bytes > 1 && !is_real_type(type);
}

/// By other numbers than random ones in the program's range.
bool holds_guesses(const DraftArgument& argument) {
    return argument.contents_guessed && (!argument.written || !argument.written->by->guesses.empty());
}

}  // namespace

std::string contents_words(const DraftArgument& argument) {
    if (!argument.written) return argument.contents;
    const EarlierLaunch& by = *argument.written->by;
    std::string words = fmt::format("written by {}, which is run before it", by.name);
    if (!by.guesses.empty()) words += fmt::format(", on a guess: {}", fmt::join(by.guesses, ", "));
    if (by.random) words += ", from random numbers in the program's range, not its own";
    return words;
}

bool has_other_contents(const DraftArgument& argument) {
    if (!argument.written) return !argument.contents.empty() && argument.fill != "zero";
    return holds_guesses(argument) || argument.written->by->random;
}

bool has_guessed_length(const DraftArgument& argument) {
    return argument.kind == DraftArgument::Kind::buffer && argument.guessed && argument.from.empty() &&
           argument.shares.empty();
}

bool is_table_of_pointers(const DraftArgument& argument) {
    return argument.kind == DraftArgument::Kind::buffer && argument.guessed &&
           std::ranges::count(argument.written_type, '*') > 1;
}

std::string doubtful_indices(const LaunchDraft& draft) {
    std::vector<std::string> names;
    for (const DraftArgument& argument : draft.arguments) {
        const bool unsaid = argument.guessed && argument.from.empty() && argument.shares.empty();
        const bool numbers = (argument.fill != "zero" || argument.written) &&
                             (unsaid || (argument.guessed && holds_guesses(argument)));
        switch (argument.kind) {
            case DraftArgument::Kind::scalar:
                if (!unsaid || !may_index(argument.scalar_type)) continue;
                break;
            case DraftArgument::Kind::buffer:
                if (!is_table_of_pointers(argument) && (!numbers || !may_index(argument.element_type)))
                    continue;
                break;
            case DraftArgument::Kind::structure:
                if (!unsaid) continue;
                break;
            case DraftArgument::Kind::image:
                continue;
        }
        names.push_back("`" + argument.name + "`");
    }
    for (const DraftArgument& target : draft.targets)
        if (holds_guesses(target) && may_index(target.element_type)) names.push_back("`" + target.name + "`");
    if (names.empty()) return {};
    return fmt::format("{} {}", fmt::join(names, ", "), names.size() == 1 ? "is a guess" : "are guesses");
}

std::vector<std::string> doubtful_arguments(const LaunchDraft& draft) {
    std::vector<std::string> sentences, lengths;
    for (const DraftArgument& argument : draft.arguments) {
        if (has_guessed_length(argument)) lengths.push_back("`" + argument.name + "`");
        if (argument.kind == DraftArgument::Kind::structure && argument.guessed && argument.from.empty())
            sentences.push_back(fmt::format(
                "All {} bytes of `{}` are 0: its members do not follow from the host code, and what the "
                "kernel does with them is not what your program does. Give them with --arg "
                "struct:{{TYPE=VALUE,...}} or in the launch form",
                argument.bytes, argument.name));
    }
    for (const DraftArgument& target : draft.targets)
        if (has_guessed_length(target)) lengths.push_back("`" + target.name + "`");
    if (!lengths.empty())
        sentences.push_back(fmt::format(
            "The length of {} is guessed from the kernel's accesses, so that none counts as past the end. "
            "Give it with --arg buffer:TYPE[LENGTH] or in the launch form",
            fmt::join(lengths, ", ")));
    if (draft.shared_guessed)
        sentences.push_back(fmt::format(
            "{} bytes of dynamic shared memory are a guess, and so is the occupancy: how many the host code "
            "gives is not followed. Give them with --dynamic-shared or in the launch form",
            draft.dynamic_shared_bytes));
    return sentences;
}

}  // namespace warplens::instrumentation
