#include "instrumentation/compile/compile_log.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "core/number_text.h"
#include "instrumentation/compile/known_misuse.h"
#include "instrumentation/compile/macros.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace {

/// `FILE(LINE): KIND[ #NUMBER[-D]]: TEXT`; false when the line is something else.
bool parse_line(std::string_view line, Diagnostic& diagnostic) {
    const std::size_t close = line.find("): ");
    const std::size_t open = line.rfind('(', close);
    if (close == std::string_view::npos || open == std::string_view::npos || open == 0) return false;
    const auto number = number_from<decltype(diagnostic.line)>(line.substr(open + 1, close - open - 1));
    if (!number) return false;
    diagnostic.line = *number;
    diagnostic.file = line.substr(0, open);
    const std::string_view rest = line.substr(close + 3);
    const std::size_t colon = rest.find(": ");
    if (colon == std::string_view::npos) return false;
    diagnostic.is_error = rest.substr(0, colon).find("error") != std::string_view::npos;
    diagnostic.text = rest.substr(colon + 2);
    // "matches the argument list:", before lines that list candidates
    if (diagnostic.text.ends_with(':')) diagnostic.text.pop_back();
    return true;
}

/// "mma.h" of `cannot open source file "mma.h" (no directories in search list)`; empty for other errors.
std::string missing_header(const Diagnostic& error) {
    const std::size_t said = error.text.find("open source file \"");
    if (said == std::string::npos) return "";
    const std::size_t begin = error.text.find('"', said) + 1;
    return error.text.substr(begin, error.text.find('"', begin) - begin);
}

/// Whether it is C++'s own: no folder and no ending, "vector".
bool is_of_language(std::string_view header) { return header.find_first_of("./") == std::string_view::npos; }

std::string remedy_of_header(const std::string& header, bool has_toolkit) {
    if (is_of_language(header) || header.starts_with("sys/") || header == "unistd.h")
        return "; only device code is compiled here: put host code and its includes in a file of its own or "
               "inside #ifndef __CUDACC_RTC__";
    if (!is_of_toolkit(header)) return "; give the folder that holds it with -I FOLDER";
    if (has_toolkit)
        return "; the CUDA Toolkit that was found has no such header: install one that has, or give its "
               "include folder with -I";
    return "; it comes with the CUDA Toolkit, which was not found here: install it (in Debian and Ubuntu the "
           "package nvidia-cuda-toolkit), set CUDA_HOME to its folder, or give its include folder with -I";
}

std::string remedy(const CompileRequest& request, const Diagnostic& error, bool has_toolkit) {
    if (const std::string header = missing_header(error); !header.empty())
        return remedy_of_header(header, has_toolkit);
    const auto says = [&](const char* words) { return error.text.find(words) != std::string::npos; };
    if (says("host functions are not allowed") || says("host variables are not allowed"))
        return "; only device code is compiled here: put host code and its includes in a file of its own or "
               "inside #ifndef __CUDACC_RTC__";
    if (is_endless_include(error))
        return "; #pragma once in the first line of a header keeps it from being included again";
    if (std::string misuse = known_misuse(error); !misuse.empty()) return misuse;
    if (error.file == request.name) return "";
    for (const auto& [name, value] : request.macros) {
        if (has_word(error.quoted, name) || has_word(error.text, name)) {
            return fmt::format("; the parameter `{}` clashes with a name in that header, rename it", name);
        }
    }
    return "";
}

/// The assembler's words, which come without a line of the source: "ptxas error   : Entry function …".
std::string in_one_line(const std::string& log) {
    std::string text;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (const auto colon = line.find(" : "); line.rfind("ptxas", 0) == 0 && colon != std::string::npos)
            line.erase(0, colon + 3);
        if (line.empty()) continue;
        text += (text.empty() ? "" : "; ") + line;
    }
    return text;
}

}  // namespace

bool is_of_toolkit(std::string_view header) {
    static constexpr std::string_view names[] = {"mma.h", "sm_", "cooperative_groups", "nv/target"};
    static constexpr std::string_view folders[] = {"cuda/", "cub/",  "thrust/", "crt/",
                                                   "cccl/", "cuda_", "cu",      "nv/"};
    const auto begins = [&](std::string_view with) { return header.starts_with(with); };
    return std::ranges::any_of(names, begins) || std::ranges::any_of(folders, begins);
}

bool is_endless_include(const Diagnostic& error) {
    return error.text.find("nested too deeply") != std::string::npos ||
           error.text.find("includes itself") != std::string::npos;
}

std::vector<Diagnostic> read_compile_log(const std::string& log) {
    std::vector<Diagnostic> diagnostics;
    bool expects_quote = false;
    std::string_view rest = log;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        Diagnostic diagnostic;
        if (parse_line(line, diagnostic)) {
            diagnostics.push_back(std::move(diagnostic));
            expects_quote = true;
        } else if (expects_quote && !line.empty()) {
            diagnostics.back().quoted = line;
            expects_quote = false;
        }
    }
    return diagnostics;
}

std::string describe_compile_failure(const CompileRequest& request, const std::string& log,
                                     bool has_toolkit) {
    if (const std::string taken = clashing_macro(log); !taken.empty()) {
        return fmt::format(
            "{}: the parameter `{}` has the name of a macro that CUDA itself defines; rename it",
            request.name, taken);
    }
    std::vector<Diagnostic> errors = read_compile_log(log);
    errors.erase(
        std::remove_if(errors.begin(), errors.end(), [](const Diagnostic& d) { return !d.is_error; }),
        errors.end());
    if (errors.empty() && in_one_line(log).empty())
        return fmt::format("{} does not compile, and the compiler does not say why; it may need more memory",
                           request.name);
    if (errors.empty()) return fmt::format("{} does not compile: {}", request.name, in_one_line(log));
    // Names of instances of what does not compile: NVRTC gives each line of its own file of them an error.
    const auto is_name = [](const Diagnostic& d) { return d.file.starts_with("__nv_name_map"); };
    if (!std::ranges::all_of(errors, is_name)) std::erase_if(errors, is_name);
    const Diagnostic& first = errors.front();
    std::string text = fmt::format("{}:{}: error: {}{}", first.file, first.line, first.text,
                                   remedy(request, first, has_toolkit));
    if (errors.size() == 1) return text;
    const char* many = errors.size() == 2 ? "" : "s";
    text += fmt::format("; {0} more error{1} at line{1}", errors.size() - 1, many);
    constexpr std::size_t most_named = 5;
    for (std::size_t i = 1; i < errors.size() && i <= most_named; ++i) {
        // Where the first is in another file, "lines 4, k.cu:12".
        const std::string file = errors[i].file == first.file ? "" : errors[i].file + ":";
        text += fmt::format("{} {}{}", i == 1 ? "" : ",", file, errors[i].line);
    }
    return text + (errors.size() > most_named + 1 ? " …" : "");
}

}  // namespace warplens::instrumentation
