#include "analysis/report/inlined_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/number_text.h"

namespace warplens::analysis {
namespace {

/// The next word of a line; blanks, commas and tabs lie between words.
std::string_view next_word(std::string_view& line) {
    constexpr std::string_view between = " \t,\r";
    const std::size_t begin = line.find_first_not_of(between);
    if (begin == std::string_view::npos) return line = {};
    line.remove_prefix(begin);
    const std::string_view word = line.substr(0, line.find_first_of(between));
    line.remove_prefix(word.size());
    return word;
}

std::uint32_t number_of(std::string_view word) {
    return number_from<std::uint32_t>(std::string(word)).value_or(0);
}

/// Whether a name of `.file` is this source: as given to the compiler, or with its folder.
bool is_named(std::string_view in_ptx, std::string_view source) {
    return in_ptx == source || (in_ptx.ends_with(source) && in_ptx.size() > source.size() &&
                                in_ptx[in_ptx.size() - source.size() - 1] == '/');
}

}  // namespace

std::string inlined_words(const std::vector<InlinedPlace>& places, const Program& program,
                          std::uint32_t own_file) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> words;
    bool own = !places.empty();
    for (const InlinedPlace& place : places) own = own && place.file == own_file;
    for (const InlinedPlace& place : std::span(places).first(std::min(places.size(), most_named))) {
        std::string_view file;
        if (place.file < program.sources.size()) file = program.sources[place.file].name;
        file.remove_prefix(std::min(file.rfind('/') + 1, file.size()));
        words.push_back(own ? std::to_string(place.line) : fmt::format("{}:{}", file, place.line));
    }
    if (places.size() > most_named) words.push_back(fmt::format("{} more", places.size() - most_named));
    const std::string last = words.empty() ? "" : words.back();
    if (words.size() > 1) words.pop_back();
    const std::string listed = fmt::format("{}", fmt::join(words, ", "));
    const std::string all = places.size() > 1 ? listed + " and " + last : listed;
    return own ? (places.size() > 1 ? "lines " : "line ") + all : all;
}

std::vector<InlinedPlace> inlined_places(const Program& program) {
    std::map<std::uint32_t, std::uint32_t> sources;  // of the numbers of `.file`
    struct Location {
        std::uint32_t file = 0, line = 0;
        bool inlined = false;
    };
    std::vector<Location> at;  // of each line of the PTX
    Location here;
    std::string_view rest = program.ptx;
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::string_view whole = line, word = next_word(line);
        if (word == ".loc") {
            here.file = number_of(next_word(line));
            here.line = number_of(next_word(line));
            here.inlined = whole.find("inlined_at") != std::string_view::npos;
        } else if (word == ".file") {
            const std::uint32_t number = number_of(next_word(line));
            const std::size_t open = line.find('"'), close = line.find('"', open + 1);
            for (std::uint32_t i = 0; close != std::string_view::npos && i < program.sources.size(); ++i)
                if (is_named(line.substr(open + 1, close - open - 1), program.sources[i].name))
                    sources[number] = i;
        }
        at.push_back(here);
    }
    // `.file` lines stand at the PTX's end, so that they are known only now.
    std::vector<InlinedPlace> places(program.sites.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Site& site = program.sites[i];
        if (site.ptx_line == 0 || site.ptx_line > at.size() || site.line == 0) continue;
        const Location& location = at[site.ptx_line - 1];
        const auto source = sources.find(location.file);
        if (!location.inlined || location.line == 0 || source == sources.end()) continue;
        if (source->second == site.file && location.line == site.line) continue;
        places[i] = {source->second, location.line};
    }
    return places;
}

}  // namespace warplens::analysis
