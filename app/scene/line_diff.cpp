#include "app/scene/line_diff.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace warplens::app {

namespace {

/// Pieces with more cells than this in their table are reported as completely replaced.
constexpr std::size_t most_cells = 4'000'000;

class Diff {
  public:
    Diff(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after) {
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        const auto number = [&](std::string_view line) {
            return numbers.try_emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second;
        };
        for (const std::string_view line : before) a_.push_back(number(line));
        for (const std::string_view line : after) b_.push_back(number(line));
    }

    std::vector<DiffLine> run() && {
        piece(0, size(a_), 0, size(b_), 0);
        return std::move(made_);
    }

  private:
    using Index = std::uint32_t;
    static Index size(const std::vector<Index>& of) { return static_cast<Index>(of.size()); }

    void same(Index a, Index b) { made_.push_back({DiffLine::Kind::same, a, b}); }
    void replaced(Index a0, Index a1, Index b0, Index b1) {
        for (Index a = a0; a < a1; ++a) made_.push_back({DiffLine::Kind::removed, a, b0});
        for (Index b = b0; b < b1; ++b) made_.push_back({DiffLine::Kind::added, a1, b});
    }

    void piece(Index a0, Index a1, Index b0, Index b1, int depth) {
        while (a0 < a1 && b0 < b1 && a_[a0] == b_[b0]) same(a0++, b0++);
        Index tail = 0;
        while (a0 < a1 && b0 < b1 && a_[a1 - 1] == b_[b1 - 1]) --a1, --b1, ++tail;
        if (a0 == a1 || b0 == b1) {
            replaced(a0, a1, b0, b1);
        } else if (const auto anchors = unique_lines(a0, a1, b0, b1); !anchors.empty() && depth < 64) {
            Index a = a0, b = b0;
            for (const auto& [next_a, next_b] : anchors) {
                piece(a, next_a, b, next_b, depth + 1);
                same(next_a, next_b);
                a = next_a + 1;
                b = next_b + 1;
            }
            piece(a, a1, b, b1, depth + 1);
        } else {
            table(a0, a1, b0, b1);
        }
        for (Index i = 0; i < tail; ++i) same(a1 + i, b1 + i);
    }

    /// Lines that occur once on either side, the longest run of them that ascends on both.
    std::vector<std::pair<Index, Index>> unique_lines(Index a0, Index a1, Index b0, Index b1) const {
        struct Seen {
            Index a_count = 0, b_count = 0, b_at = 0;
        };
        std::unordered_map<Index, Seen> seen;
        for (Index a = a0; a < a1; ++a) ++seen[a_[a]].a_count;
        for (Index b = b0; b < b1; ++b) {
            Seen& line = seen[b_[b]];
            ++line.b_count;
            line.b_at = b;
        }
        std::vector<std::pair<Index, Index>> once;
        for (Index a = a0; a < a1; ++a)
            if (const Seen& line = seen[a_[a]]; line.a_count == 1 && line.b_count == 1)
                once.emplace_back(a, line.b_at);
        // Patience: the smallest last element of every length of an ascending run.
        std::vector<std::size_t> last, before(once.size(), once.size());
        for (std::size_t i = 0; i < once.size(); ++i) {
            const auto at = std::ranges::lower_bound(last, once[i].second, {},
                                                     [&](std::size_t j) { return once[j].second; });
            if (at != last.begin()) before[i] = *(at - 1);
            if (at == last.end()) last.push_back(i);
            else *at = i;
        }
        std::vector<std::pair<Index, Index>> run;
        for (std::size_t i = last.empty() ? once.size() : last.back(); i < once.size(); i = before[i])
            run.push_back(once[i]);
        std::ranges::reverse(run);
        return run;
    }

    /// The longest common subsequence by its table.
    void table(Index a0, Index a1, Index b0, Index b1) {
        const std::size_t rows = a1 - a0, columns = b1 - b0;
        if (rows * columns > most_cells) return replaced(a0, a1, b0, b1);
        std::vector<std::uint32_t> lengths((rows + 1) * (columns + 1), 0);
        const auto length = [&](std::size_t a, std::size_t b) -> std::uint32_t& {
            return lengths[a * (columns + 1) + b];
        };
        for (std::size_t a = rows; a-- > 0;)
            for (std::size_t b = columns; b-- > 0;)
                length(a, b) = a_[a0 + a] == b_[b0 + b] ? length(a + 1, b + 1) + 1
                                                        : std::max(length(a + 1, b), length(a, b + 1));
        Index a = a0, b = b0;
        while (a < a1 && b < b1) {
            Index to_a = a, to_b = b;  // where the next common line is
            while (to_a < a1 && to_b < b1 && a_[to_a] != b_[to_b]) {
                if (length(to_a + 1 - a0, to_b - b0) >= length(to_a - a0, to_b + 1 - b0)) ++to_a;
                else ++to_b;
            }
            if (to_a == a1 || to_b == b1) break;
            replaced(a, to_a, b, to_b);
            same(to_a, to_b);
            a = to_a + 1;
            b = to_b + 1;
        }
        replaced(a, a1, b, b1);
    }

    std::vector<Index> a_, b_;
    std::vector<DiffLine> made_;
};

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::vector<DiffLine> diff_lines(const std::vector<std::string_view>& before,
                                 const std::vector<std::string_view>& after) {
    return Diff(before, after).run();
}

std::vector<FoldedLine> fold_equal_lines(const std::vector<DiffLine>& lines,
                                         const std::vector<std::uint32_t>& opened) {
    constexpr std::uint32_t context_lines = 3;       // lines kept on either side of a change
    constexpr std::uint32_t least_folded_lines = 6;  // shorter stretches are not worth folding
    const auto is_same = [](const DiffLine& line) { return line.kind == DiffLine::Kind::same; };
    const auto count = static_cast<std::uint32_t>(lines.size());
    const bool changes = !std::ranges::all_of(lines, is_same);
    std::vector<FoldedLine> rows;
    for (std::uint32_t i = 0; i < count;) {
        std::uint32_t end = i;
        while (end < count && is_same(lines[end])) ++end;
        const std::uint32_t from = i == 0 ? 0 : i + context_lines;
        const std::uint32_t to = end == count ? count : end - std::min(end - i, context_lines);
        const bool fold = changes && to > from && to - from >= least_folded_lines &&
                          std::ranges::find(opened, from) == opened.end();
        for (; i < end; ++i) {
            if (fold && i == from) {
                rows.push_back({from, to - from});
                i = to - 1;
                continue;
            }
            rows.push_back({i, 0});
        }
        for (; i < count && !is_same(lines[i]); ++i) rows.push_back({i, 0});
    }
    return rows;
}

}  // namespace warplens::app
