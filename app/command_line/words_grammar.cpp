// From typed words to an exit code: what is wrong with them, what was thrown, and Ctrl+C become one sentence
// on standard error.
#include <cstring>

#include "app/command_line/grammar.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "core/leftovers.h"

namespace warplens::app {
namespace {

/// In the order in which they were typed; CLI11's own message turns it round.
std::string unexpected_words(const CLI::App& app) {
    std::string words;
    const auto remaining = app.remaining(true);
    for (const std::string& word : remaining) words += " " + word;
    return fmt::format("The following argument{} not expected:{}", remaining.size() > 1 ? "s were" : " was",
                       words);
}

/// A word without a character comes from a variable that is not set. As a value it would be taken for an
/// option that is not given, and as a number for 0: a check would pass without its limits.
Status check_words(int argument_count, char** arguments) {
    constexpr std::size_t longest_argument = 4096;
    for (int i = 1; i < argument_count; ++i) {
        const std::size_t bytes = std::strlen(arguments[i]);
        if (bytes > longest_argument)
            return fail("argument {} has {} bytes; at most {} are read: {}", i, bytes, longest_argument,
                        arguments[i]);
        if (bytes > 0) continue;
        const bool is_value = arguments[i - 1][0] == '-' && i > 1;
        return fail(
            "argument {}{} is empty, such as a variable that is not set; give a value or leave it out", i,
            is_value ? fmt::format(", after {},", arguments[i - 1]) : "");
    }
    return {};
}

int parse_and_run(CLI::App& app, Result<int>& outcome, const std::function<Result<int>()>& otherwise,
                  int argument_count, char** arguments) {
    try {
        app.parse(argument_count, arguments);
        if (app.get_subcommands().empty()) outcome = otherwise();
    } catch (const CLI::ExtrasError&) {
        outcome = fail("{}; {} --help lists the commands and options", unexpected_words(app), app.get_name());
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) outcome = app.exit(error);  // --help, --version
        else outcome = fail("{}; {} --help lists the commands and options", error.what(), app.get_name());
    }
    RunWatch::of_this_process().let_end();
    if (outcome)
        if (auto status = flush_result(); !status) outcome = tl::unexpected(status.error());
    if (is_interrupted()) {
        // Another error follows from the interruption, such as a compiler that was ended.
        if (!outcome)
            print_message(outcome.error().message.find("Ctrl+C") != std::string::npos
                              ? outcome.error().message
                              : "stopped by Ctrl+C; there is no result");
        return exit_interrupted;
    }
    if (!outcome) {
        const std::string reason = RunWatch::of_this_process().reason();
        const bool says_why = reason.empty() || outcome.error().message.find(reason) != std::string::npos;
        print_message(says_why ? outcome.error().message : reason + "; there is no result");
        return exit_bad_input;
    }
    return *outcome;
}

}  // namespace

int run_words(CLI::App& app, Result<int>& outcome, const std::function<Result<int>()>& otherwise,
              int argument_count, char** arguments) {
    app.set_version_flag("--version", app.get_name() + " 0.1.0");
    name_program(app.get_name());
    watch_signals();
    if (const auto status = check_words(argument_count, arguments); !status) {
        print_message(status.error().message);
        return exit_bad_input;
    }
    return exit_code_of([&] { return parse_and_run(app, outcome, otherwise, argument_count, arguments); });
}

}  // namespace warplens::app
