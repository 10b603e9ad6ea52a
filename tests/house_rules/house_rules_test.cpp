// The house rules as a program: the direction of includes between stages and between rooms, the length of
// files, which files may include which packages, and that the paths named in the documents exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source_text.h"

namespace {

using testing::IsEmpty;

/// Which stages a stage may include, itself aside.
const std::map<std::string, std::set<std::string>> allowed_includes{
    {"core", {}},
    {"ptx", {"core"}},
    {"sass", {"core"}},
    {"trace", {"core"}},
    {"simt", {"core", "ptx", "sass", "trace", "analysis"}},
    {"analysis", {"core", "trace"}},
    {"instrumentation", {"core", "ptx", "trace"}},
    {"app", {"core", "ptx", "sass", "trace", "simt", "analysis", "instrumentation"}},
};

/// What an #include "…" names; empty on all other lines.
std::string included_path(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || !line.substr(begin).starts_with("#include")) return {};
    const std::size_t open = line.find('"', begin);
    const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
    if (close == std::string_view::npos) return {};
    return std::string(line.substr(open + 1, close - open - 1));
}

/// Calls `rule` with each file of the stages and each path that it includes.
template <class Rule>
void for_each_include(const std::vector<std::string>& folders, Rule&& rule) {
    for (const auto& file : files_below(folders, code_endings))
        for (const std::string& line : file.lines)
            if (const std::string other = included_path(line); !other.empty()) rule(file.path, other);
}

/// "app/views/banks/view.cpp", 1: "views". Empty where the path has fewer folders.
std::string folder_at(const std::string& path, int level) {
    std::size_t begin = 0;
    for (; level > 0; --level) {
        begin = path.find('/', begin);
        if (begin == std::string::npos) return {};
        ++begin;
    }
    const std::size_t end = path.find('/', begin);
    return end == std::string::npos ? std::string() : path.substr(begin, end - begin);
}

TEST(house_rules, includes_point_down_the_line_of_stages) {
    std::vector<std::string> wrong;
    for_each_include(stages, [&](const std::string& file, const std::string& included) {
        const std::string stage = folder_at(file, 0), other = folder_at(included, 0);
        if (other == stage || !allowed_includes.contains(other)) return;
        if (!allowed_includes.at(stage).contains(other)) wrong.push_back(file + " includes " + included);
    });
    EXPECT_THAT(wrong, IsEmpty());
}

/// A stage's rooms, bottom up: a room includes its own files and those of rooms below it.
const std::map<std::string, std::vector<std::string>> rooms{
    {"app", {"ui", "capture", "scene", "pipeline", "session", "lesson", "views", "window", "command_line"}},
    {"analysis", {"warps", "memory", "time", "report", "compare"}},
};
/// What may lie beside the rooms.
const std::map<std::string, std::set<std::string>> files_beside_rooms{
    {"app", {"main.cpp", "recorder_main.cpp", "window_main.cpp"}},
    {"analysis", {"wording.h", "wording.cpp"}},
};

TEST(house_rules, includes_point_down_the_rooms_of_a_stage) {
    for (const auto& one : rooms) {
        const auto& stage = one.first;
        const auto& order = one.second;
        std::vector<std::string> wrong;
        const auto level = [&order](const std::string& room) { return std::ranges::find(order, room); };
        for_each_include({stage}, [&](const std::string& file, const std::string& included) {
            if (folder_at(included, 0) != stage) return;
            const std::string room = folder_at(file, 1), other = folder_at(included, 1);
            if (room.empty() || other.empty()) return;
            if (level(other) > level(room)) wrong.push_back(file + " includes " + included);
        });
        EXPECT_THAT(wrong, IsEmpty()) << stage;
    }
}

TEST(house_rules, every_file_of_a_stage_with_rooms_lies_in_a_room) {
    std::vector<std::string> loose;
    for (const auto& [stage, order] : rooms) {
        for (const auto& file : files_below({stage}, code_endings)) {
            const std::string room = folder_at(file.path, 1);
            const std::string name = fs::path(file.path).filename().string();
            if (room.empty() ? !files_beside_rooms.at(stage).contains(name)
                             : std::ranges::find(order, room) == order.end())
                loose.push_back(file.path);
        }
    }
    EXPECT_THAT(loose, IsEmpty());
}

TEST(house_rules, a_view_includes_no_other_view) {
    std::vector<std::string> wrong;
    for_each_include({"app/views"}, [&](const std::string& file, const std::string& included) {
        if (!included.starts_with("app/views/")) return;
        const std::string view = folder_at(file, 2), other = folder_at(included, 2);
        if (!view.empty() && !other.empty() && other != view && other != "shared")
            wrong.push_back(file + " includes " + included);
    });
    EXPECT_THAT(wrong, IsEmpty());
}

TEST(house_rules, every_file_stays_at_or_under_400_lines) {
    std::vector<std::string> long_files;
    std::vector<std::string> folders = stages;
    folders.insert(folders.end(), {"kernels", "tests", "bench"});
    for (const auto& file : files_below(folders, {".h", ".cpp", ".def", ".cu"})) {
        if (file.path.starts_with("tests/ptx/corpus")) continue;  // written by a compiler
        if (file.lines.size() > 400) {
            long_files.push_back(file.path + ": " + std::to_string(file.lines.size()) + " lines");
        }
    }
    EXPECT_THAT(long_files, IsEmpty());
}

TEST(house_rules, only_the_window_includes_imgui_and_only_the_device_runner_includes_cuda) {
    std::vector<std::string> wrong;
    for (const auto& file : files_below(stages, code_endings)) {
        for (const std::string& line : file.lines) {
            const bool imgui =
                line.find("#include") != std::string::npos && line.find("imgui") != std::string::npos;
            const bool cuda = line.find("#include <cuda") != std::string::npos;
            if (imgui && !file.path.starts_with("app/")) wrong.push_back(file.path + ": " + line);
            if (cuda && !file.path.starts_with("instrumentation/device/"))
                wrong.push_back(file.path + ": " + line);
        }
    }
    EXPECT_THAT(wrong, IsEmpty());
}

TEST(house_rules, every_header_opens_with_what_it_is) {
    std::vector<std::string> silent;
    for (const auto& file : files_below(stages, {".h"})) {
        if (file.lines.empty() || !file.lines.front().starts_with("// ")) silent.push_back(file.path);
    }
    EXPECT_THAT(silent, IsEmpty());
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a word, or several with single spaces, stands in the text by itself.
bool has_words(std::string_view text, std::string_view words) {
    for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])))
            return true;
    }
    return false;
}

TEST(house_rules, no_words_of_unfinished_work) {
    std::vector<std::string> found;
    for (const auto& file : files_below(stages, {".h", ".cpp", ".def", ".cu"}))
        for (const std::string& line : file.lines)
            for (const char* word : {"TODO", "FIXME", "XXX"})
                if (has_words(line, word)) found.push_back(file.path + ": " + line);
    EXPECT_THAT(found, IsEmpty());
}

/// Old and invented words for what the field has a word for. CONTRIBUTING.md says how Warplens writes.
constexpr std::array dialect{"anew",
                             "reckon",
                             "reckons",
                             "reckoned",
                             "reckoning",
                             "mend",
                             "mends",
                             "mended",
                             "mending",
                             "whosever",
                             "would do",
                             "no whole number",
                             "hold against",
                             "holds against",
                             "held against",
                             "holds it against",
                             "held it against",
                             "taking turns",
                             "take turns",
                             "takes turns",
                             "told",
                             "tells",
                             "comes to pass",
                             "makes no sense",
                             "make no sense",
                             "wait for one another",
                             "waits for one another",
                             "so many blocks",
                             "did wrong",
                             "does wrong",
                             "keeps its promises",
                             "takes most turns",
                             "not there any more",
                             "to be had"};

/// "32 sectors a request": a rate is written with "per".
constexpr std::array counted_things{
    "bytes",      "cycles",  "sectors", "requests",   "wavefronts", "lines",     "results",  "blocks",
    "warps",      "threads", "loads",   "stores",     "rounds",     "registers", "elements", "instructions",
    "operations", "slots",   "visits",  "schedulers", "words",      "one",       "row",      "entry"};
constexpr std::array units_of_rates{
    " a lane",      " a warp",   " an sm",      " a request",      " a second", " a cycle",
    " a block",     " a thread", " a kernel",   " a line",         " a site",   " a launch",
    " a slot",      " a metric", " a span",     " an instruction", " a round",  " a step",
    " a wavefront", " a pixel",  " an element", " a generation"};

const std::vector<std::string> plain_folders{"app",     "analysis", "core",  "instrumentation", "ptx",
                                             "sass",    "simt",     "trace", "bench",           "docs",
                                             "kernels", "lessons",  "tests", "packaging"};
const std::vector<std::string> plain_documents{"README.md", "ARCHITECTURE.md", "CHANGELOG.md",
                                               "CONTRIBUTING.md"};
/// Written by a compiler, with PTX that was prepared from exactly this text, or the list of these words
/// itself.
const std::vector<std::string> not_checked{"tests/ptx/corpus", "tests/hardware/probes", "tests/problems",
                                           "tests/house_rules"};
const std::set<std::string> text_endings{".h", ".cpp", ".def", ".cu", ".md"};

/// What a person reads of a line of code: comments and strings, in lower case.
std::string texts_of(std::string_view line) {
    std::string texts;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!quoted && line.substr(i).starts_with("//")) return texts + std::string(line.substr(i));
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\' || !quoted)) {
            if (!(i > 0 && line[i - 1] == '\'')) quoted = !quoted;
            texts += ' ';
        } else if (quoted) {
            texts += line[i];
        }
    }
    return texts;
}

std::string in_lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// The rate that is written without "per", or nothing. A verb after it, as in "the registers a thread needs",
/// makes it a clause, so the rate must end the clause.
std::string rate_without_per(std::string_view text) {
    for (const std::string_view unit : units_of_rates) {
        const std::size_t at = text.find(unit), end = at + unit.size();
        if (at == std::string_view::npos) continue;
        if (end != text.size() && std::string_view(",.;:)").find(text[end]) == std::string_view::npos)
            continue;
        for (const std::string_view thing : counted_things)
            if (has_words(text.substr(0, at), thing) && text.substr(0, at).ends_with(thing))
                return std::string(thing) + std::string(unit);
    }
    return {};
}

TEST(house_rules, texts_are_in_plain_technical_english) {
    std::vector<std::string> found;
    std::vector<SourceText> files = files_below(plain_folders, text_endings);
    for (const std::string& name : plain_documents) files.push_back({name, lines_of(root / name)});
    for (const auto& file : files) {
        if (std::ranges::any_of(not_checked, [&](const auto& start) { return file.path.starts_with(start); }))
            continue;
        const bool prose = file.path.ends_with(".md") || file.path.ends_with(".cu");
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string text = in_lower_case(prose ? file.lines[i] : texts_of(file.lines[i]));
            const auto complain = [&](const std::string& words) {
                found.push_back(file.path + ":" + std::to_string(i + 1) + ": " + words);
            };
            for (const char* words : dialect)
                if (has_words(text, words)) complain(words);
            if (const std::string rate = rate_without_per(text); !rate.empty()) complain(rate);
        }
    }
    EXPECT_THAT(found, IsEmpty());
}

TEST(house_rules, rates_are_written_with_per) {
    EXPECT_EQ(rate_without_per("it moves 32 sectors a request."), "sectors a request");
    EXPECT_EQ(rate_without_per("one row a thread"), "row a thread");
    EXPECT_EQ(rate_without_per("it moves 32 sectors per request."), "");
    EXPECT_EQ(rate_without_per("the registers a thread needs"), "");
}

TEST(house_rules, dialect_is_found_in_comments_and_strings_only) {
    EXPECT_TRUE(has_words(texts_of("int anew = 0;  // made anew"), "anew"));
    EXPECT_TRUE(has_words(texts_of("fail(\"made anew\");"), "anew"));
    EXPECT_FALSE(has_words(texts_of("int anew = mend(\"a newer one\");"), "anew"));
    EXPECT_FALSE(has_words(texts_of("char c = '\"'; anew();"), "anew"));
}

/// The paths of a line that stand right after `opening`, each up to the first character that no path has.
std::vector<std::string> paths_after(const std::string& line, std::string_view opening) {
    std::vector<std::string> paths;
    for (std::size_t at = line.find(opening); at != std::string::npos; at = line.find(opening, at + 1)) {
        std::size_t end = at + opening.size();
        while (end < line.size() &&
               (is_letter(line[end]) || std::string_view("./-").find(line[end]) != std::string_view::npos))
            ++end;
        paths.push_back(line.substr(at + opening.size(), end - at - opening.size()));
    }
    return paths;
}

/// Documents name files as `folder/name.ending` in backquotes; a name with a wildcard or a placeholder is a
/// pattern.
TEST(house_rules, paths_named_in_the_documents_exist) {
    std::vector<std::string> missing;
    std::vector<SourceText> documents = files_below({"docs"}, {".md"});
    for (const char* name : {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}) {
        ASSERT_TRUE(fs::exists(root / name)) << name;
        documents.push_back({name, lines_of(root / name)});
    }
    const std::vector<std::string> beginnings{".ci/",   "core/",    "ptx/",      "trace/",           "simt/",
                                              "app/",   "kernels/", "docs/",     "instrumentation/", "tests/",
                                              "bench/", "assets/",  "analysis/", "third_party/",     "sass/"};
    const auto is_pattern = [](const std::string& name) {
        return name.find("NAME") != std::string::npos || name.find("COMBINATION") != std::string::npos;
    };
    const auto begins_so = [&](const std::string& name) {
        return std::ranges::any_of(beginnings, [&](const auto& start) { return name.starts_with(start); });
    };
    const auto check = [&](const SourceText& document, const std::string& name) {
        if (begins_so(name) && !is_pattern(name) && !fs::exists(root / name))
            missing.push_back(document.path + " names " + name);
    };
    for (const auto& document : documents) {
        for (const std::string& line : document.lines) {
            for (const std::string& name : paths_after(line, "`")) check(document, name);
            for (const std::string& name : paths_after(line, "](docs/")) check(document, "docs/" + name);
        }
    }
    EXPECT_THAT(missing, IsEmpty());
}

TEST(house_rules, a_kernel_file_is_named_like_its_kernel) {
    std::vector<std::string> wrong;
    for (const auto& file : files_below({"kernels"}, {".cu"})) {
        const std::string name = fs::path(file.path).stem().string();
        const bool found = std::any_of(file.lines.begin(), file.lines.end(), [&](const std::string& line) {
            return line.find(name + "(") != std::string::npos;
        });
        if (!found) wrong.push_back(file.path);
    }
    EXPECT_THAT(wrong, IsEmpty());
}

}  // namespace
