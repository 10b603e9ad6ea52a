#include "app/views/tree/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "analysis/memory/element_name.h"
#include "app/pipeline/values/value_text.h"
#include "app/ui/number.h"
#include "trace/places.h"

namespace warplens::app {

using analysis::CombineOp;
using analysis::CombineTree;
using analysis::CombineTrees;
using analysis::TreeNode;
using analysis::TreeRow;

namespace {

const char* doing(CombineOp op) {
    switch (op) {
        case CombineOp::add:
            return "adds";
        case CombineOp::multiply:
            return "multiplies";
        case CombineOp::minimum:
            return "takes the minimum of";
        case CombineOp::maximum:
            return "takes the maximum of";
        default:
            return "combines";
    }
}

std::uint32_t tree_rounds(const CombineTree& tree) {
    return static_cast<std::uint32_t>(
        std::ranges::count_if(tree.rows, [](const TreeRow& row) { return row.combined > 0; }));
}

std::uint32_t round_of(const CombineTree& tree, std::uint32_t row) {
    std::uint32_t round = 0;
    for (std::uint32_t i = 0; i <= row; ++i) round += tree.rows[i].combined > 0 ? 1 : 0;
    return round;
}

/// In Blelloch's scan the row between the sweeps: one value is replaced, sums come before it, and values are
/// moved after it. 0: none.
std::uint32_t turning_row(const CombineTree& tree) {
    for (std::uint32_t row = 1; row + 1 < tree.rows.size(); ++row) {
        if (tree.rows[row].combined > 0 || tree.rows[row].entered != 1) continue;
        const auto after = std::span(tree.rows).subspan(row + 1);
        const bool moves = std::ranges::all_of(after, [](const TreeRow& of) { return of.moved > 0; });
        if (moves && tree.rows[row - 1].combined > 0) return row;
    }
    return 0;
}

/// One instruction combines the values of a whole warp.
bool is_wide(const CombineTree& tree) {
    return std::ranges::any_of(tree.nodes, [](const TreeNode& node) { return node.operands.size() > 2; });
}

std::string operation_noun(const CombineTree& tree, std::uint32_t count) {
    const CombineOp op = tree.op;
    if (is_wide(tree)) return count == 1 ? "reduction of a warp" : "reductions of a warp";
    const std::string plural(analysis::combine_plural(op));
    if (count != 1) return plural;
    if (op == CombineOp::minimum) return "minimum";
    if (op == CombineOp::maximum) return "maximum";
    return plural.substr(0, plural.size() - 1);
}

ptx::Type type_of(const TreeNode& node) { return ptx::type_from(node.type).value_or(ptx::Type::u32); }

std::uint32_t bytes_of(const TreeNode& node) {
    return static_cast<std::uint32_t>(std::max(1, ptx::size_of(type_of(node))));
}

std::string text_of(const TreeNode& node) { return value_text(node.bits, type_of(node)); }

std::string word_name(const trace::Trace& trace, const TreeNode& node) {
    return analysis::element_name(trace, Space::shared, node.word, bytes_of(node));
}

}  // namespace

bool tree_shows_warps(const CombineTrees& trees) { return trees.warps > 1 && trees.trees.size() == 1; }

TreeFigures tree_figures(const CombineTrees& trees, const CombineTree& tree) {
    TreeFigures figures;
    for (const TreeRow& row : tree.rows) {
        figures.barriers += row.barriers;
        if (row.combined == 0) continue;
        ++figures.rounds;
        figures.idle_rounds += row.warps < trees.warps ? 1 : 0;
    }
    return figures;
}

std::string tree_result_noun(CombineOp op) {
    switch (op) {
        case CombineOp::add:
            return "sum";
        case CombineOp::multiply:
            return "product";
        case CombineOp::minimum:
            return "minimum";
        case CombineOp::maximum:
            return "maximum";
        default:
            return fmt::format("bitwise {}", analysis::combine_sign(op));
    }
}

std::string tree_title(const trace::Trace& trace, const CombineTree& tree) {
    const std::string in_rounds = counted(tree_rounds(tree), "round");
    const std::string name = trace.launch.kernel;
    if (tree.results.size() == 1)
        return fmt::format("`{}`: {} values become one {} in {}", name, grouped(tree.most_inputs),
                           tree_result_noun(tree.op), in_rounds);
    return fmt::format("`{}`: {} results, each the {} of up to {} of {} values, in {}", name,
                       grouped(tree.results.size()), tree_result_noun(tree.op), grouped(tree.most_inputs),
                       grouped(tree.columns), in_rounds);
}

std::string tree_facts(const CombineTrees& trees, const CombineTree& tree) {
    std::string words = fmt::format("{} {}", grouped(tree.combined), operation_noun(tree, tree.combined));
    if (tree.has_result && tree.used < tree.combined)
        words += fmt::format(", {} of them reach the result", grouped(tree.used));
    const TreeFigures figures = tree_figures(trees, tree);
    words += figures.barriers == 0 ? std::string(" · no barrier in between")
                                   : fmt::format(" · {} in between", counted(figures.barriers, "barrier"));
    if (tree_shows_warps(trees) && figures.idle_rounds == 0) words += " · no warp is idle";
    else if (tree_shows_warps(trees))
        words += fmt::format(" · warps are idle in {} of {}", figures.idle_rounds,
                             counted(figures.rounds, "round"));
    if (trees.stopped_after > 0)
        words = fmt::format("incomplete: followed until instruction {} of the block · ",
                            grouped(trees.stopped_after)) +
                words;
    return words;
}

namespace {

std::string change_words(std::uint32_t was, std::uint32_t now) {
    return was == now ? grouped(now) : fmt::format("{} → {}", grouped(was), grouped(now));
}

}  // namespace

std::string tree_change_title(const TreeOfRun& before, const TreeOfRun& after) {
    const TreeFigures was = tree_figures(before.trees, before.tree),
                      now = tree_figures(after.trees, after.tree);
    const bool same = was.rounds == now.rounds;
    std::string words = fmt::format("{} → {}: ", before.name, after.name);
    words += same ? fmt::format("{} in both runs", counted(now.rounds, "round"))
                  : fmt::format("{} → {}", grouped(was.rounds), counted(now.rounds, "round"));
    const bool shown_before = tree_shows_warps(before.trees), shown_after = tree_shows_warps(after.trees);
    const auto of_all = [](const TreeFigures& of) {
        return fmt::format("{} of {}", of.idle_rounds, of.rounds);
    };
    if (shown_before && shown_after && was.idle_rounds == now.idle_rounds && same)
        return words + fmt::format(", warps are idle in {} of them", now.idle_rounds);
    if (shown_before && shown_after && same)
        return words + fmt::format(", warps are idle in {} → {} of them", was.idle_rounds, now.idle_rounds);
    if (shown_before && shown_after)
        return words + fmt::format(", warps are idle in {} → {}", of_all(was), of_all(now));
    if (shown_before || shown_after)
        words += fmt::format(", warps are idle in {} {}", of_all(shown_before ? was : now),
                             shown_before ? "before" : "after");
    return words;
}

std::string tree_change_facts(const TreeOfRun& before, const TreeOfRun& after) {
    const TreeFigures was = tree_figures(before.trees, before.tree),
                      now = tree_figures(after.trees, after.tree);
    const std::string noun = before.tree.op == after.tree.op && is_wide(before.tree) == is_wide(after.tree)
                                 ? operation_noun(after.tree, 2)
                                 : std::string("combined values");
    return fmt::format("{} {} · barriers in between {} · values that enter {}", noun,
                       change_words(before.tree.combined, after.tree.combined),
                       change_words(was.barriers, now.barriers),
                       change_words(before.tree.most_inputs, after.tree.most_inputs));
}

std::vector<std::string> tree_run_words(const TreeOfRun& run) {
    const TreeFigures figures = tree_figures(run.trees, run.tree);
    const std::string rounds = counted(figures.rounds, "round");
    const std::string values = run.tree.results.size() == 1
                                   ? fmt::format("{} values become one {}", grouped(run.tree.most_inputs),
                                                 tree_result_noun(run.tree.op))
                                   : fmt::format("{} results of {} values", grouped(run.tree.results.size()),
                                                 grouped(run.tree.columns));
    const std::string idle =
        tree_shows_warps(run.trees) ? fmt::format(", warps idle in {}", figures.idle_rounds)
        : run.trees.trees.size() > 1
            ? fmt::format(", one of {} trees", run.trees.trees.size() + run.trees.left_out)
            : std::string();
    const std::string all = values + " in " + rounds + idle;
    return {fmt::format("block {}: {}", grouped(run.trees.block), all), all, rounds + idle, rounds};
}

std::string tree_other_block(const CombineTrees& trees, std::uint64_t selected, bool waits) {
    if (selected == trees.block) return {};
    return waits ? fmt::format(" · executing block {} …", grouped(selected))
                 : fmt::format(" · block {} is selected, but cannot be executed again", grouped(selected));
}

std::string row_name(const CombineTree& tree, std::uint32_t row) {
    if (row == 0) return "values that enter";
    const TreeRow& of = tree.rows[row];
    const std::uint32_t turn = turning_row(tree);
    if (turn == 0) {
        if (of.combined > 0) return fmt::format("round {}", round_of(tree, row));
        return of.entered > 0 ? "replaced" : "moved";
    }
    if (row == turn) return "last replaced";
    if (of.combined == 0) return "moved";
    if (row < turn) return fmt::format("up-sweep {}", round_of(tree, row));
    return fmt::format("down-sweep {}", round_of(tree, row) - round_of(tree, turn));
}

std::string row_words(const trace::Trace& trace, const CombineTrees& trees, const CombineTree& tree,
                      std::uint32_t row) {
    const TreeRow& of = tree.rows[row];
    if (row == 0) return column_names(trace, tree).what;
    if (of.combined == 0) return of.entered > 0 ? counted(of.entered, "new value") : "";
    std::string words = fmt::format("{} {}", grouped(of.combined), operation_noun(tree, of.combined));
    if (of.moved > 0) words += fmt::format(", {} moved", grouped(of.moved));
    if (of.site < trace.program.sites.size() && trace.program.sites[of.site].line > 0)
        words += fmt::format(" · line {}", trace.program.sites[of.site].line);
    if (tree_shows_warps(trees)) words += fmt::format(" · {} of {} warps", of.warps, trees.warps);
    return words;
}

std::string short_value(const TreeNode& node) {
    const std::string text = text_of(node);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != 0 || !std::isfinite(value)) return text;
    if (text.size() <= 5) return text;
    if (value == std::floor(value) && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
    return fmt::format("{:.4g}", value);
}

std::string shorter_value(const TreeNode& node) {
    const std::string text = text_of(node);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != 0 || !std::isfinite(value)) return text;
    return std::abs(value) >= 1000 && value > 0 ? compact(value) : fmt::format("{:.2g}", value);
}

std::string node_arithmetic(const CombineTree& tree, const TreeNode& node) {
    if (node.operands.empty()) return text_of(node);
    std::string words;
    const std::string sign(analysis::combine_sign(tree.op));
    std::size_t shown = 0;
    for (const analysis::TreeOperand& from : node.operands) {
        if (shown == 4 && node.operands.size() > 5) {
            words += fmt::format(" {} …", sign);
            break;
        }
        if (shown++ > 0) words += fmt::format(" {} ", sign);
        if (from.node != no_index) words += text_of(tree.nodes[from.node]);
        else words += "?";
    }
    return words + " = " + text_of(node);
}

std::string node_sentence(const trace::Trace& trace, const CombineTree& tree, const TreeNode& node) {
    std::string words = fmt::format("Thread {} (warp {}, lane {})", node.thread, node.warp, node.thread % 32);
    if (node.site < trace.program.sites.size() && trace.program.sites[node.site].line > 0)
        words += fmt::format(", line {},", trace.program.sites[node.site].line);
    words += node.op == CombineOp::none ? " brings the value" : fmt::format(" {} two values", doing(tree.op));
    if (node.operands.size() > 2)
        words = fmt::format("One instruction of warp {} {} {} values", node.warp, doing(tree.op),
                            node.operands.size());
    if (node.word != no_index) words += fmt::format(", stored to `{}`", word_name(trace, node));
    words += ".";
    if (node.op != CombineOp::none && tree.has_result && !node.used)
        words += " The value does not reach the result.";
    return words;
}

namespace {

/// "37"; in a block of several dimensions "(5, 1)".
std::string thread_number(const trace::Trace& trace, std::uint32_t thread) {
    const Dim3 block = trace.launch.geometry.block;
    const Dim3 at = coordinates(thread, block);
    if (block.z > 1) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
    if (block.y > 1) return fmt::format("({}, {})", at.x, at.y);
    return grouped(thread);
}

/// "37"; of an array with several dimensions "[1][5]".
std::string element_number(const trace::Trace& trace, const trace::Place& place, const TreeNode& node) {
    const std::string name = word_name(trace, node);
    const std::string index = name.substr(std::min(name.find('['), name.size()));
    return std::ranges::count(index, '[') > 1 ? index : grouped(place.element);
}

}  // namespace

ColumnNames column_names(const trace::Trace& trace, const CombineTree& tree) {
    ColumnNames names;
    names.numbers.resize(tree.columns);
    std::vector<bool> known(tree.columns);
    std::string array;
    for (const TreeNode& node : tree.nodes) {
        if (node.op != CombineOp::none || node.column >= tree.columns || known[node.column]) continue;
        known[node.column] = true;
        names.numbers[node.column] = thread_number(trace, node.thread);
        if (node.word == no_index) continue;
        const auto place = trace::place_of(trace, Space::shared, node.word, bytes_of(node));
        names.numbers[node.column] = place ? element_number(trace, *place, node) : grouped(node.word / 4);
        if (place) array = place->name;
    }
    names.what = array.empty() ? "threads" : fmt::format("elements of {}", array);
    return names;
}

}  // namespace warplens::app
