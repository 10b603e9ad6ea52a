#include "instrumentation/catalog/doubtful_arguments.h"

#include <fmt/ranges.h>

namespace warplens::instrumentation {

bool has_guessed_length(const DraftArgument& argument) {
    return argument.kind == DraftArgument::Kind::buffer && argument.guessed && argument.from.empty() &&
           argument.shares.empty();
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
    if (!lengths.empty())
        sentences.push_back(
            fmt::format("The length of {} is guessed: an access past the end may be correct in your program. "
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
