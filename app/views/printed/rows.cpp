#include "app/views/printed/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/report/printed_words.h"
#include "app/scene/line_diff.h"

namespace warplens::app {
namespace {

/// A line with the thread that prints it.
std::vector<std::string> keys_of(const PrintedCalls& printed, const std::vector<PrintedRow>& rows) {
    std::vector<std::string> keys;
    keys.reserve(rows.size());
    for (const PrintedRow& row : rows) {
        const Printed& one = printed.calls[row.call];
        keys.push_back(fmt::format("{} {} {} {}", one.child, block_triple(one.block),
                                   block_triple(one.thread), row.text));
    }
    return keys;
}

/// Where lines were replaced, the new line of a thread follows its old one.
void pair_by_thread(std::vector<DiffLine>& lines, const PrintedCalls& before,
                    const std::vector<PrintedRow>& before_rows, const PrintedCalls& after,
                    const std::vector<PrintedRow>& after_rows) {
    using Kind = DiffLine::Kind;
    using Number = std::uint32_t;
    using Thread = std::tuple<std::string_view, Number, Number, Number, Number, Number, Number>;
    const auto thread_of = [](const Printed& one) {
        return Thread(one.child, one.block.x, one.block.y, one.block.z, one.thread.x, one.thread.y,
                      one.thread.z);
    };
    for (auto begin = lines.begin(); begin != lines.end();) {
        const auto is = [](Kind kind) { return [kind](const DiffLine& line) { return line.kind == kind; }; };
        const auto removed = std::find_if(begin, lines.end(), is(Kind::removed));
        const auto added = std::find_if_not(removed, lines.end(), is(Kind::removed));
        const auto end = std::find_if_not(added, lines.end(), is(Kind::added));
        std::map<Thread, std::vector<std::ptrdiff_t>> places;  // of a thread's added lines, ascending
        for (auto line = added; line != end; ++line)
            places[thread_of(after.calls[after_rows[line->after].call])].push_back(line - added);
        std::vector<DiffLine> paired;
        auto next = added;
        for (auto old = removed; old != added; ++old) {
            auto match = end;
            if (const auto own = places.find(thread_of(before.calls[before_rows[old->before].call]));
                own != places.end())
                if (const auto place = std::ranges::lower_bound(own->second, next - added);
                    place != own->second.end())
                    match = added + *place;
            if (match != end) paired.insert(paired.end(), next, match);
            paired.push_back(*old);
            if (match != end) paired.push_back(*match);
            if (match != end) next = match + 1;
        }
        paired.insert(paired.end(), next, end);
        std::ranges::copy(paired, removed);
        begin = end;
    }
}

}  // namespace

std::string block_triple(Dim3 at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

std::vector<PrintedRow> printed_rows(const PrintedCalls& printed,
                                     const std::function<bool(const Printed&)>& keeps) {
    std::vector<PrintedRow> rows;
    for (std::uint32_t i = 0; i < printed.calls.size(); ++i) {
        const Printed& one = printed.calls[i];
        if (!keeps(one)) continue;
        bool first = true;
        for (std::string& line : analysis::printed_lines(one.text)) {
            rows.push_back({i, std::move(line), first});
            first = false;
        }
    }
    return rows;
}

AlignedPrinted aligned_rows(const PrintedCalls& before, std::vector<PrintedRow> before_rows,
                            const PrintedCalls& after, std::vector<PrintedRow> after_rows,
                            const std::vector<std::uint32_t>& opened) {
    using Kind = PrintedRow::Kind;
    const std::vector<std::string> was = keys_of(before, before_rows), now = keys_of(after, after_rows);
    std::vector<DiffLine> lines = diff_lines(std::vector<std::string_view>(was.begin(), was.end()),
                                             std::vector<std::string_view>(now.begin(), now.end()));
    pair_by_thread(lines, before, before_rows, after, after_rows);
    AlignedPrinted aligned;
    for (const DiffLine& line : lines)
        ++(line.kind == DiffLine::Kind::same    ? aligned.same
           : line.kind == DiffLine::Kind::added ? aligned.added
                                                : aligned.removed);
    for (const FoldedLine& folded : fold_equal_lines(lines, opened)) {
        const DiffLine& line = lines[folded.line];
        if (folded.folded > 0) {
            aligned.rows.push_back(
                {after_rows[line.after].call, "", false, Kind::folded, folded.folded, folded.line});
            continue;
        }
        const bool removed = line.kind == DiffLine::Kind::removed;
        PrintedRow row = removed ? std::move(before_rows[line.before]) : std::move(after_rows[line.after]);
        row.kind = removed ? Kind::removed : line.kind == DiffLine::Kind::added ? Kind::added : Kind::same;
        // Who printed it is said again where another line stands between it and the call's first line.
        const bool after_other = aligned.rows.empty() || aligned.rows.back().kind != row.kind;
        if (after_other && row.kind != Kind::same) row.first = true;
        aligned.rows.push_back(std::move(row));
    }
    return aligned;
}

}  // namespace warplens::app
