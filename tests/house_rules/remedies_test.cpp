// A remedy is offered only after it was tried: app/pipeline/advice/advise.h runs each change, and
// app/scene/modelled_changes.cpp words the changes that the timing model could try. Elsewhere a
// text says what a number or a finding means; "use larger blocks" there would be a guess.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "source_text.h"

namespace {

constexpr std::array remedies{
    "put a __sync",     "use an atomic",        "use less ",         "use fewer",
    "use larger",       "use smaller",          "use shared memory", "keep fewer",
    "keep arrays",      "let neighbouring",     "let lanes",         "let all lanes",
    "let one thread",   "let all threads",      "combine values",    "combine the values",
    "pad the ",         "add padding",          "change the layout", "change the row",
    "swizzle its",      "branch on conditions", "give each block",   "index arrays",
    "avoid divergence", "reduce the number",    "increase the ",     "unroll the",
    "launch more",      "launch fewer",         "limit registers"};

const std::vector<std::string> speaking_folders{"core", "trace", "analysis", "simt", "app"};
/// The words for changes that the model has run.
const std::string tried = "app/scene/modelled_changes.cpp";

/// The string literals of a line, in lower case.
std::string literals_of(const std::string& line) {
    std::string words;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!quoted && line.compare(i, 2, "//") == 0) break;
        if (line[i] == '"' && (i == 0 || (line[i - 1] != '\\' && line[i - 1] != '\''))) {
            quoted = !quoted;
            continue;
        }
        if (quoted) words += static_cast<char>(std::tolower(static_cast<unsigned char>(line[i])));
    }
    return words;
}

/// A sentence that goes on in the next line is read as one.
std::string remedy_in(const std::string& words) {
    const auto found = std::ranges::find_if(
        remedies, [&](const char* remedy) { return words.find(remedy) != std::string::npos; });
    return found == remedies.end() ? "" : *found;
}

TEST(house_rules, a_remedy_is_worded_only_where_it_was_tried) {
    std::vector<std::string> found;
    for (const SourceText& file : files_below(speaking_folders, {".h", ".cpp", ".def"})) {
        if (file.path == tried) continue;
        std::string before;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string words = literals_of(file.lines[i]);
            if (const std::string remedy = remedy_in(before + words); !remedy.empty() && !words.empty())
                found.push_back(file.path + ":" + std::to_string(i + 1) + ": " + remedy);
            before = words.substr(words.size() - std::min<std::size_t>(words.size(), 20));
        }
    }
    EXPECT_THAT(found, testing::IsEmpty());
}

/// A problem's message names what happened and the rule that it breaks. What would repair it is not known
/// there: the error may lie in the index, the launch or the host's code.
constexpr std::array commands{": allocate ", ": call ", ": check ", ": copy ",   ": declare ",
                              ": fill ",     ": free ", ": give ",  ": pass ",   ": put ",
                              ": store ",    ": use ",  ": wait ",  ", first\"", " first\")"};

std::string command_in(const std::string& line) {
    if (line.find("fail(") != std::string::npos) return "";  // of a header or a command line
    const auto found = std::ranges::find_if(
        commands, [&](const char* command) { return line.find(command) != std::string::npos; });
    return found == commands.end() ? "" : *found;
}

TEST(house_rules, a_problem_is_described_and_not_commanded) {
    std::vector<std::string> found;
    for (const SourceText& file : files_below({"simt/functional"}, {".h", ".cpp", ".def"}))
        for (std::size_t i = 0; i < file.lines.size(); ++i)
            if (const std::string& line = file.lines[i]; line.find('"') != std::string::npos)
                if (const std::string command = command_in(line); !command.empty())
                    found.push_back(file.path + ":" + std::to_string(i + 1) + ": " + command);
    EXPECT_THAT(found, testing::IsEmpty());
    EXPECT_EQ(command_in("\"past its end: check the index first\""), ": check ");
}

TEST(house_rules, a_remedy_is_found_in_strings_only) {
    EXPECT_EQ(remedy_in(literals_of("fail(\"Use larger blocks.\");")), "use larger");
    EXPECT_EQ(remedy_in(literals_of("int x;  // use larger blocks")), "");
    EXPECT_EQ(remedy_in(literals_of("const char* words = \"the larger blocks\";")), "");
}

}  // namespace
