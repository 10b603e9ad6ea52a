#include "app/scene/rewritten_lines.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace warplens::app {
namespace {

constexpr double least_likeness = 0.5;
/// A rewritten file is not compared line by line.
constexpr std::size_t most_pairs = 250'000;

using LineWords = std::vector<std::string_view>;

/// Identifiers and numbers, sorted.
LineWords words_of_line(std::string_view line) {
    const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    LineWords words;
    for (auto at = line.begin(); at != line.end();) {
        at = std::find_if(at, line.end(), in_word);
        const auto end = std::find_if_not(at, line.end(), in_word);
        if (at != end) words.emplace_back(at, end);
        at = end;
    }
    std::ranges::sort(words);
    return words;
}

/// From 0, no word in common, to 1, the same words.
double likeness(const LineWords& a, const LineWords& b) {
    if (a.empty() || b.empty()) return 0;
    LineWords common;
    std::ranges::set_intersection(a, b, std::back_inserter(common));
    return 2 * double(common.size()) / double(a.size() + b.size());
}

}  // namespace

std::vector<RewrittenLine> rewritten_lines(const std::vector<std::string_view>& removed,
                                           const std::vector<std::string_view>& added) {
    const std::size_t rows = removed.size(), columns = added.size();
    if (rows == 0 || columns == 0 || rows * columns > most_pairs) return {};
    std::vector<LineWords> old_words, new_words;
    for (const std::string_view line : removed) old_words.push_back(words_of_line(line));
    for (const std::string_view line : added) new_words.push_back(words_of_line(line));
    // The most likeness that the lines from (row, column) on can have in pairs that do not cross.
    std::vector<double> best((rows + 1) * (columns + 1), 0), pair(rows * columns, 0);
    const auto best_at = [&](std::size_t row, std::size_t column) -> double& {
        return best[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;)
        for (std::size_t column = columns; column-- > 0;) {
            const double alike = likeness(old_words[row], new_words[column]);
            pair[row * columns + column] = alike >= least_likeness ? alike : 0;
            best_at(row, column) = std::max({best_at(row + 1, column), best_at(row, column + 1),
                                             pair[row * columns + column] + best_at(row + 1, column + 1)});
        }
    std::vector<RewrittenLine> found;
    for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
        const double here = best_at(row, column), alike = pair[row * columns + column];
        if (alike > 0 && here == alike + best_at(row + 1, column + 1))
            found.push_back({static_cast<std::uint32_t>(row++), static_cast<std::uint32_t>(column++)});
        else if (here == best_at(row + 1, column)) ++row;
        else ++column;
    }
    return found;
}

}  // namespace warplens::app
