#include "instrumentation/compile/included_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/read_file.h"
#include "instrumentation/compile/shipped_ptx.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_headers = 512;
constexpr std::uintmax_t most_header_bytes = 16u << 20;  // of one header

struct Include {
    std::string name;
    bool quoted = false;    // "…": searched for next to the file that includes it first
    bool computed = false;  // #include NAME, a macro's
    std::uint32_t line = 0;
};

/// `line` is what stands after "#include".
std::optional<Include> include_of(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::nullopt;
    const char open = line[begin];
    if (open != '"' && open != '<') return Include{"", false, true, 0};
    const std::size_t end = line.find(open == '"' ? '"' : '>', begin + 1);
    if (end == std::string_view::npos) return std::nullopt;
    return Include{std::string(line.substr(begin + 1, end - begin - 1)), open == '"', false, 0};
}

/// Whether a line that does not begin with "#include" may be one all the same: behind a comment, by digraphs
/// or trigraphs, or continued on the next line.
bool may_include(std::string_view line) {
    const std::string_view code = line.substr(0, line.find("//"));
    const auto last = code.find_last_not_of(" \t\r");
    if (last != std::string_view::npos && code[last] == '\\' && code.find('#') != std::string_view::npos &&
        code.find_last_not_of(" \t", last - 1) == code.find('#'))
        return true;
    for (const std::string_view mark : {"#", "%:", "\?\?="}) {
        const auto at = code.find(mark);
        if (at != std::string_view::npos && code.find("include", at) != std::string_view::npos) return true;
    }
    return code.find("__has_include") != std::string_view::npos;
}

struct Includes {
    std::vector<Include> lines;
    bool complete = true;
};

Includes includes_of(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    Includes includes;
    for (std::uint32_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::string_view left = line;
        const auto skip = [&] { left.remove_prefix(std::min(left.find_first_not_of(" \t"), left.size())); };
        const auto skip_word = [&](std::string_view word) {
            skip();
            const bool begins = left.starts_with(word);
            if (begins) left.remove_prefix(word.size());
            return begins;
        };
        if (!skip_word("#") || !skip_word("include")) {
            includes.complete = includes.complete && !may_include(line);
        } else if (auto include = include_of(left)) {
            include->line = number;
            includes.complete = includes.complete && !include->computed;
            includes.lines.push_back(std::move(*include));
        }
    }
    return includes;
}

Result<std::string> contents(const fs::path& path) { return read_file(path.string(), most_header_bytes); }

class Search {
  public:
    explicit Search(const std::vector<std::string>& include_paths) : include_paths_(include_paths) {}

    void read(const fs::path& folder, std::string_view text) {
        const Includes includes = includes_of(text);
        found.complete = found.complete && includes.complete;
        for (const Include& include : includes.lines)
            if (!include.name.empty()) follow(folder, include);
    }

    void follow(const fs::path& folder, const Include& include) {
        std::vector<fs::path> candidates;
        for (const std::string& path : include_paths_) candidates.push_back(fs::path(path) / include.name);
        candidates.insert(include.quoted ? candidates.begin() : candidates.end(), folder / include.name);
        for (const fs::path& candidate : candidates) {
            // Compilers, too, go on to the next folder only where there is nothing or a folder.
            std::error_code error;
            if (!fs::exists(candidate, error) || fs::is_directory(candidate, error)) continue;
            const auto text = contents(candidate);
            if (!text) return found.unusable.push_back({include.name, text.error().message});
            std::string path = candidate.lexically_normal().string();
            if (std::ranges::find(found.paths, path) != found.paths.end()) return;
            if (found.paths.size() == most_headers) {
                found.complete = false;
                return;
            }
            found.paths.push_back(std::move(path));
            found.names.push_back(include.name);
            texts.push_back(*text);
            read(candidate.parent_path(), *text);
            return;
        }
    }

    IncludedFiles found;
    std::vector<std::string> texts;  // of found.paths

  private:
    const std::vector<std::string>& include_paths_;
};

}  // namespace

IncludedFiles find_included_files(const std::string& path, const std::string& source,
                                  const std::vector<std::string>& include_paths) {
    Search search(include_paths);
    search.read(fs::path(path).parent_path(), source);
    return std::move(search.found);
}

std::vector<IncludeLine> include_lines(const std::string& path, const std::string& source,
                                       const std::vector<std::string>& include_paths) {
    Search search(include_paths);
    std::vector<IncludeLine> lines;
    for (const Include& include : includes_of(source).lines) {
        if (include.name.empty()) continue;
        const auto before = static_cast<std::ptrdiff_t>(search.found.paths.size());
        search.follow(fs::path(path).parent_path(), include);
        const auto& paths = search.found.paths;
        if (std::ssize(paths) > before)
            lines.push_back({include.line, {paths.begin() + before, paths.end()}});
    }
    return lines;
}

SourceFiles source_and_headers(const std::string& path, const std::string& source,
                               const std::vector<std::string>& include_paths) {
    Search search(include_paths);
    search.read(fs::path(path).parent_path(), source);
    SourceFiles all{{{path, source}}, std::move(search.found.unusable), search.found.complete};
    for (std::size_t i = 0; i < search.texts.size(); ++i)
        all.files.push_back({std::move(search.found.names[i]), std::move(search.texts[i])});
    return all;
}

std::string fingerprint(const IncludedFiles& included) {
    std::string all;
    for (const std::string& path : included.paths)
        all += path + '\0' + source_hash(contents(path).value_or("")) + '\0';
    return all.empty() ? all : source_hash(all);
}

}  // namespace warplens::instrumentation
