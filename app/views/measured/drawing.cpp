#include "app/views/measured/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <utility>

#include "app/scene/perturbation_words.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tick_step.h"
#include "app/views/measured/table.h"

namespace warplens::app {

namespace {

/// "3.7 MiB": narrower than bytes_words.
std::string short_bytes(std::uint64_t bytes) {
    constexpr double kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
    const auto value = static_cast<double>(bytes);
    if (value >= gib) return decimal(value / gib, 1) + " GiB";
    if (value >= mib) return decimal(value / mib, 1) + " MiB";
    if (value >= kib) return decimal(value / kib, 1) + " KiB";
    return grouped(bytes) + " B";
}

/// From the middle to the left where the model says less, to the right where it says more; full at 50 %.
void difference_bar(const Ink& ink, const Box& box, double percent_off) {
    const float middle = std::round((box.x0 + box.x1) / 2);
    const float half = box.width() / 2 - ink.px(4);
    const auto reach = static_cast<float>(std::clamp(percent_off / 50, -1.0, 1.0)) * half;
    const ImU32 colour = std::abs(percent_off) < 10   ? ink.theme.ideal
                         : std::abs(percent_off) < 25 ? mix(ink.theme.ideal, ink.theme.cost, 0.6)
                                                      : ink.theme.cost;
    const float pad = ink.px(5);
    ink.fill({box.x0 + ink.px(4), box.y0 + pad, box.x1 - ink.px(4), box.y1 - pad}, ink.theme.raised,
             ink.px(2));
    ink.fill({std::min(middle, middle + reach), box.y0 + pad, std::max(middle, middle + reach), box.y1 - pad},
             colour);
    ink.line({middle, box.y0 + ink.px(3)}, {middle, box.y1 - ink.px(3)}, ink.theme.text_dim, ink.px(1));
}

/// The other run's minimum to maximum on the same SM, a little wider than this run's.
void draw_ghost_of_sm(const Ink& ink, const MeasuredIndex& before, std::uint32_t sm, float middle, float body,
                      const std::function<float(double)>& y_of) {
    const auto same = std::ranges::find(before.sms(), sm, &MeasuredIndex::Sm::sm);
    if (same == before.sms().end()) return;
    const float half = body / 2 + ink.px(2), high = y_of(same->block_cycles.max);
    ink.outline({middle - half, high, middle + half, std::max(y_of(same->block_cycles.min), high + 2)},
                ink.theme.text_dim, ink.px(1));
}

}  // namespace

std::string value_words(double value, const std::string& unit) {
    if (unit == "%") return decimal(value, 1);
    if (std::abs(value) >= 1000) return grouped_signed(static_cast<std::int64_t>(std::llround(value)));
    return decimal(value, std::abs(value) < 10 ? 2 : 1);
}

std::string name_with_unit(const analysis::ComparedMetric& metric) {
    const auto lower = [](unsigned char c) { return std::tolower(c); };
    const bool said = std::ranges::equal(metric.name.substr(0, metric.unit.size()), metric.unit, {}, lower);
    return said ? metric.name : fmt::format("{}, {}", metric.name, metric.unit);
}

float cost_table_height(const Ink& ink, const trace::Measured& measured) {
    return table_row_height(ink) * static_cast<float>(measured.perturbations.size() + 2) + ink.px(4);
}

void draw_cost_table(const Ink& ink, Box box, const trace::Measured& measured) {
    const bool wide = box.width() > ink.px(640);
    std::vector<MeasuredTable::Column> columns{
        {"time", 0.17f}, {"of clean", 0.15f}, {"registers", 0.16f}, {"blocks/SM", 0.17f}};
    if (wide)
        columns = {{"time", 0.13f},
                   {"of clean", 0.12f},
                   {"registers", 0.14f},
                   {"blocks/SM", 0.14f},
                   {"records", 0.15f}};
    const float taken = wide ? 0.68f : 0.65f;
    columns.push_back({"written", 0.5f * (1 - taken)});
    columns.push_back({"dropped", 0.5f * (1 - taken)});
    MeasuredTable table(ink, box, std::min(ink.px(132), box.width() * 0.22f), columns);
    table.head("recording");
    const ImU32 dim = ink.theme.text_dim, warn = ink.theme.error;
    bool first = true;
    for (const trace::Perturbation& one : measured.perturbations) {
        if (std::exchange(first, false)) {
            std::vector<MeasuredTable::Cell> clean{
                {microseconds_words(one.clean_us)},
                {"× 1"},
                {grouped(static_cast<std::uint64_t>(std::max(one.clean_registers, 0)))},
                {grouped(static_cast<std::uint64_t>(std::max(one.clean_blocks_per_sm, 0)))}};
            if (wide) clean.push_back({"–", dim});
            clean.push_back({"–", dim});
            clean.push_back({"–", dim});
            table.row("none", clean);
        }
        const int more = one.traced_registers - one.clean_registers;
        std::vector<MeasuredTable::Cell> cells{
            {microseconds_words(one.traced_us)},
            {"× " + decimal(one.slowdown(), 2)},
            {more == 0 ? fmt::format("{}", one.traced_registers)
                       : fmt::format("{} ({:+})", one.traced_registers, more)},
            {fmt::format("{}", one.traced_blocks_per_sm),
             one.traced_blocks_per_sm != one.clean_blocks_per_sm ? warn : 0}};
        if (wide) cells.push_back({grouped(one.records)});
        cells.push_back({short_bytes(one.recorded_bytes)});
        cells.push_back({grouped(one.dropped_records), one.dropped_records > 0 ? warn : 0});
        table.row(one.mode, cells);
    }
}

float comparison_height(const Ink& ink, std::size_t metrics) {
    return table_row_height(ink) * static_cast<float>(metrics + 1) + ink.px(4);
}

int draw_comparison(const Ink& ink, Box box, const std::vector<analysis::ComparedMetric>& metrics,
                    ImVec2 mouse) {
    MeasuredTable table(
        ink, box, std::min(ink.px(232), box.width() * 0.36f),
        {{"exact", 0.18f}, {"measured", 0.18f}, {"modelled", 0.18f}, {"", 0.28f}, {"off", 0.18f}});
    table.head("metric");
    int under = -1;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const analysis::ComparedMetric& metric = metrics[i];
        const auto cell = [&](const std::optional<double>& value) {
            return value ? MeasuredTable::Cell{value_words(*value, metric.unit)}
                         : MeasuredTable::Cell{"–", ink.theme.text_dim};
        };
        const double off = metric.difference_percent().value_or(0);
        const bool fair = metric.difference_percent() && !metric.slowed;
        std::string words = metric.slowed ? "recorded" : "–";
        if (fair)
            words = std::abs(off) < 0.5 ? "±0 %" : (off > 0 ? "+" : "−") + decimal(std::abs(off), 0) + " %";
        const Box row = table.row(name_with_unit(metric), {cell(metric.exact),
                                                           cell(metric.measured),
                                                           cell(metric.modelled),
                                                           {""},
                                                           {words, fair ? 0 : ink.theme.text_dim}});
        if (fair) difference_bar(ink, table.column_box(row, 3), off);
        hit_box("metric " + metric.key, row.min(), row.max());
        if (!row.has(mouse)) continue;
        ink.fill(row, ink.theme.hovered);
        under = static_cast<int>(i);
    }
    return under;
}

float block_chart_height(const Ink& ink) { return std::round(ink.px(170)); }

int draw_block_chart(const Ink& ink, Box box, const MeasuredIndex& index, const MeasuredIndex* before,
                     ImVec2 mouse) {
    const Theme& theme = ink.theme;
    const auto& sms = index.sms();
    double most = 1;
    for (const MeasuredIndex::Sm& sm : sms) most = std::max(most, sm.block_cycles.max);
    if (before)
        for (const MeasuredIndex::Sm& sm : before->sms()) most = std::max(most, sm.block_cycles.max);
    const double step_cycles = tick_step(most * 1.05, box.height(), ink.px(34));
    const double top = std::ceil(most / step_cycles) * step_cycles;
    Box names = box.take_bottom(ink.px(24));
    names.y0 += ink.px(6);
    const Box axis =
        box.take_left(text_width(theme.fonts.small, grouped(static_cast<std::uint64_t>(top))) + ink.px(8));
    box.take_top(ink.px(6));
    const auto y_of = [&](double cycles) { return box.y1 - static_cast<float>(cycles / top) * box.height(); };
    for (double at = 0; at <= top * 1.001; at += step_cycles) {
        const float y = std::round(y_of(at));
        ink.line({box.x0, y}, {box.x1, y}, theme.hairline);
        ink.text({axis.x0, y - ink.px(8), axis.x1 - ink.px(6), y + ink.px(8)},
                 grouped(static_cast<std::uint64_t>(std::llround(at))), theme.fonts.small, theme.text_dim,
                 Align::right);
    }
    const float each = box.width() / static_cast<float>(std::max<std::size_t>(sms.size(), 1));
    const float body = std::clamp(each * 0.6f, 1.0f, ink.px(26));
    int under = -1;
    std::size_t every = 1;  // 1, 2, 5, 10, …: whose numbers have room
    for (std::size_t ten = 1; static_cast<float>(every) * each < ink.px(30) && every < sms.size(); ten *= 10)
        for (const std::size_t factor : {1u, 2u, 5u})
            if (static_cast<float>(every) * each < ink.px(30)) every = ten * factor;
    const float median = y_of(index.summary().block_cycles.median);
    for (std::size_t i = 0; i < sms.size(); ++i) {
        const float middle = box.x0 + (static_cast<float>(i) + 0.5f) * each;
        const Box column{middle - each / 2, box.y0, middle + each / 2, box.y1};
        if (column.has(mouse)) {
            ink.fill(column, theme.hovered);
            under = static_cast<int>(i);
        }
        const analysis::Spread& spread = sms[i].block_cycles;
        const float high = y_of(spread.max), low = y_of(spread.min), at = y_of(spread.median);
        if (before) draw_ghost_of_sm(ink, *before, sms[i].sm, middle, body, y_of);
        ink.fill({middle - body / 2, high, middle + body / 2, std::max(low, high + 1)},
                 with_alpha(theme.category(0), 0.45));
        ink.fill({middle - body / 2, at - ink.px(1), middle + body / 2, at + ink.px(1)}, theme.text);
        if (i % every != 0) continue;
        const std::string name = fmt::format("{}", sms[i].sm);
        const float width = text_width(theme.fonts.small, name);
        const float left = std::min(middle - width / 2, box.x1 - width - 1);
        ink.text({left, names.y0, left + width + 1, names.y1}, name, theme.fonts.small, theme.text_dim);
    }
    ink.text({axis.x0, names.y0, axis.x1 - ink.px(6), names.y1}, "SM", theme.fonts.small, theme.text_dim,
             Align::right);
    ink.line({box.x0, median}, {box.x1, median}, theme.ideal, ink.px(1));
    if (!before) return under;
    const float was = y_of(before->summary().block_cycles.median);
    for (float at = box.x0; at < box.x1; at += ink.px(10))
        ink.line({at, was}, {std::min(at + ink.px(5), box.x1), was}, theme.text_dim, ink.px(1));
    return under;
}

}  // namespace warplens::app
