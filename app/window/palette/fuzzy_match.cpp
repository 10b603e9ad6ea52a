#include "app/window/palette/fuzzy_match.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace warplens::app {
namespace {

constexpr int letter_points = 16, sequence_points = 16, word_points = 12, begin_points = 8;
constexpr int gap_points = 4;                 // lost by each gap, and one more per letter in it
constexpr int whole_points = 24;              // the word of the query is a whole word of the name
constexpr int same_points = 24;               // the query is the whole name
constexpr std::size_t longest_name = 256;     // bytes that are looked at
constexpr std::size_t letters_per_point = 6;  // of the name: shorter names come first
constexpr int impossible = std::numeric_limits<int>::min() / 2;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80) != 0;
}
/// The second and later bytes of a UTF-8 character match only after its first.
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool begins_word(std::string_view name, std::size_t at) {
    if (at == 0) return true;
    const char before = name[at - 1], here = name[at];
    if (!is_word(before)) return is_word(here);
    return std::islower(static_cast<unsigned char>(before)) && std::isupper(static_cast<unsigned char>(here));
}

/// The best places of one word's letters, by dynamic programming over (letter of the word, letter of the
/// name).
std::optional<FuzzyMatch> match_word(std::string_view word, std::string_view name) {
    const std::size_t width = name.size();
    if (word.size() > width) return std::nullopt;
    // best[i * width + j]: of the first i + 1 letters, the last of them at name[j].
    std::vector<int> best(word.size() * width, impossible);
    std::vector<std::size_t> from(word.size() * width, 0);
    for (std::size_t i = 0; i < word.size(); ++i) {
        int open = impossible;  // the best end of the letters before that leaves a gap
        std::size_t open_at = 0;
        for (std::size_t j = i; j < width; ++j) {
            const int* before = i > 0 ? &best[(i - 1) * width] : nullptr;
            if (before && j >= 2) {
                open -= 1;
                if (before[j - 2] - gap_points > open) {
                    open = before[j - 2] - gap_points;
                    open_at = j - 2;
                }
            }
            if (lower(word[i]) != lower(name[j])) continue;
            int points = letter_points + (begins_word(name, j) ? word_points : 0);
            if (i == 0) {
                best[j] = points + (j == 0 ? begin_points : 0);
                continue;
            }
            const int sequence = before[j - 1] + sequence_points;
            const bool joined = sequence >= open || continues_character(word[i]);
            const int previous = joined ? sequence : open;
            if (previous <= impossible / 2) continue;
            best[i * width + j] = previous + points;
            from[i * width + j] = joined ? j - 1 : open_at;
        }
    }
    const auto last = best.end() - static_cast<std::ptrdiff_t>(width);
    const auto top = std::max_element(last, best.end());
    if (*top <= impossible / 2) return std::nullopt;
    FuzzyMatch match{*top, std::vector<std::size_t>(word.size())};
    std::size_t at = static_cast<std::size_t>(top - last);
    for (std::size_t i = word.size(); i-- > 0; at = from[i * width + at]) match.letters[i] = at;
    const std::size_t first = match.letters.front(), end = match.letters.back() + 1;
    if (end - first == word.size() && begins_word(name, first) && (end == width || !is_word(name[end])))
        match.score += whole_points;
    return match;
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view name) {
    name = name.substr(0, longest_name);
    FuzzyMatch all;
    bool any = false;
    for (std::size_t at = 0; at < query.size();) {
        const std::size_t end = std::min(query.find(' ', at), query.size());
        if (end > at) {
            const auto match = match_word(query.substr(at, end - at), name);
            if (!match) return std::nullopt;
            any = true;
            all.score += match->score;
            all.letters.insert(all.letters.end(), match->letters.begin(), match->letters.end());
        }
        at = end + 1;
    }
    if (any && all.letters.size() == name.size()) all.score += same_points;
    if (any) all.score -= static_cast<int>(name.size() / letters_per_point);
    std::ranges::sort(all.letters);
    all.letters.erase(std::unique(all.letters.begin(), all.letters.end()), all.letters.end());
    return all;
}

}  // namespace warplens::app
