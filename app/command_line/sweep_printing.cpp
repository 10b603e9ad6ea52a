#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "analysis/time/time_resolution.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/output_format.h"
#include "app/command_line/sweep.h"
#include "core/csv_text.h"
#include "core/json_text.h"
#include "core/whole_file.h"

namespace warplens::app {
namespace {

using analysis::metric_value;

std::string title(const Sweep& sweep) {
    std::string words = sweep.kernel + " over ";
    for (const SweepAxis& axis : sweep.plan.axes)
        words += (&axis == &sweep.plan.axes.front() ? "" : " and ") + axis.name;
    for (const auto& [name, value] : sweep.fixed) words += fmt::format("  {}={}", name, value);
    if (!sweep.gpu.empty()) words += "  on " + sweep.gpu;
    if (sweep.level == Level::machine) words += "  at " + std::string(to_string(sweep.level));
    if (sweep.sampled) words += "  (a sample of the blocks)";
    return words;
}

/// The words of a row instead of numbers, or with them.
std::string remark(const SweepRow& row) {
    if (!row.failed.empty()) return row.failed;
    if (!row.problem.empty()) return row.problem;
    return !row.absent.empty() ? row.absent : row.note;
}

/// As a JSON number where the whole text is one.
Json value_of(const std::string& text) {
    const auto read = parse_json(text);
    return read && read->is_number() ? *read : Json(text);
}

}  // namespace

std::string sweep_text(const Sweep& sweep) {
    const SweepPlan& plan = sweep.plan;
    std::vector<std::vector<std::string>> table(2);
    for (const SweepAxis& axis : plan.axes) {
        table[0].push_back(axis.name);
        table[1].emplace_back();
    }
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        table[0].push_back(plan.metrics[i]->name);
        const std::string& unit = plan.metrics[i]->unit;
        table[1].push_back((unit.empty() ? "" : unit + ", ") + sweep.source(i));
    }
    for (std::size_t row = 0; row < sweep.rows.size(); ++row) {
        std::vector<std::string> line = sweep.rows[row].at;
        for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
            const auto& value = sweep.rows[row].values[i];
            const bool best = std::ranges::find(sweep.best[i], row) != sweep.best[i].end();
            line.push_back(value ? (best ? "* " : "") + metric_value(*value) : "-");
        }
        line.push_back(remark(sweep.rows[row]));
        table.push_back(std::move(line));
    }
    std::vector<std::size_t> widths(plan.axes.size() + plan.metrics.size());
    for (const auto& line : table)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    std::string text = title(sweep) + "\n\n";
    for (const auto& line : table) {
        std::string out = " ";
        for (std::size_t i = 0; i < widths.size(); ++i) out += fmt::format(" {:>{}} ", line[i], widths[i]);
        if (line.size() > widths.size() && !line.back().empty()) out += " " + line.back();
        out.erase(out.find_last_not_of(' ') + 1);
        text += out + "\n";
    }
    std::size_t most = 0;
    for (const auto& best : sweep.best) most = std::max(most, best.size());
    if (most > 0) text += "\n  * the best of its column\n";
    if (most > 1)
        text +=
            fmt::format("    Several marks: equally good; of times, within the model's error of {:.0f} %.\n",
                        100 * analysis::model_error);
    for (const std::string& remark : sweep.remarks) text += fmt::format("\n  {}\n", remark);
    return text;
}

std::string sweep_csv(const Sweep& sweep) {
    const SweepPlan& plan = sweep.plan;
    const std::string level_of_times(sweep.level_of_times ? analysis::level_word(*sweep.level_of_times) : "");
    std::string text;
    for (const SweepAxis& axis : plan.axes) text += csv_field(axis.name) + ",";
    for (const analysis::Metric* metric : plan.metrics) text += metric->name + ",";
    if (sweep.plan.has_times()) text += "level_of_times,";
    text += "remark\n";
    for (const SweepRow& row : sweep.rows) {
        for (const std::string& value : row.at) text += csv_field(value) + ",";
        for (const auto& value : row.values) text += (value ? fmt::format("{}", *value) : "") + ",";
        if (sweep.plan.has_times()) text += level_of_times + ",";
        text += csv_field(remark(row)) + "\n";
    }
    return text;
}

std::string sweep_json(const Sweep& sweep) {
    const SweepPlan& plan = sweep.plan;
    Json out{{"kernel", sweep.kernel}, {"engine", sweep.engine}, {"gpu", sweep.gpu}};
    out["level"] = analysis::level_word(sweep.level);
    out["parameters"] = Json::object();
    for (const auto& [name, value] : sweep.fixed) out["parameters"][name] = value_of(value);
    out["over"] = Json::array();
    for (const SweepAxis& axis : plan.axes) out["over"].push_back(axis.name);
    out["metrics"] = Json::array();
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        const analysis::Metric& metric = *plan.metrics[i];
        const char* better = metric.better == analysis::Better::less   ? "less"
                             : metric.better == analysis::Better::more ? "more"
                                                                       : "neither";
        Json row{{"name", metric.name}, {"unit", metric.unit}, {"better", better}};
        if (!sweep.provenance.empty()) row["provenance"] = to_string(sweep.provenance[i]);
        if (!sweep.levels.empty()) row["level"] = analysis::level_word(sweep.levels[i]);
        row["best_rows"] = sweep.best[i];
        out["metrics"].push_back(std::move(row));
    }
    out["remarks"] = sweep.remarks;
    out["rows"] = Json::array();
    for (const SweepRow& row : sweep.rows) {
        Json line{{"at", Json::object()}, {"values", Json::object()}};
        for (std::size_t i = 0; i < plan.axes.size(); ++i)
            line["at"][plan.axes[i].name] = value_of(row.at[i]);
        for (std::size_t i = 0; i < plan.metrics.size(); ++i)
            line["values"][plan.metrics[i]->name] = row.values[i] ? Json(*row.values[i]) : Json(nullptr);
        if (!row.failed.empty()) line["failed"] = row.failed;
        if (!row.absent.empty()) line["absent"] = row.absent;
        if (!row.problem.empty()) line["problem"] = row.problem;
        if (!row.note.empty()) line["note"] = row.note;
        if (!row.difference.empty()) line["difference"] = row.difference;
        out["rows"].push_back(std::move(line));
    }
    return json_text(out, 2) + "\n";
}

Result<int> sweep(const SweepWords& words, const DrawSweep& draw) {
    WARPLENS_TRY(const auto format, output_format("a sweep", words.format, words.output,
                                                  {"text", "csv", "json"}, draw != nullptr));
    WARPLENS_TRY(const auto swept, sweep_of(words));
    const int code = swept.faulty() ? exit_kernel_problems : exit_success;
    if (format.is_picture) {
        WARPLENS_TRY(draw(words, swept));
        return code;
    }
    const std::string text = format.name == "text"  ? sweep_text(swept)
                             : format.name == "csv" ? sweep_csv(swept)
                                                    : sweep_json(swept);
    if (!words.output.empty()) {
        WARPLENS_TRY(write_whole_file(words.output, text));
    } else {
        print_result(text);
    }
    return code;
}

}  // namespace warplens::app
