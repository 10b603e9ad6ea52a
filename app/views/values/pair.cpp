#include "app/views/values/pair.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/pipeline/values/value_words.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

const RegisterValue* find_register(const StepValues& values, const std::map<std::string, std::string>& names,
                                   const std::string& name) {
    const auto other = names.find(name);
    if (other == names.end()) return nullptr;
    const auto at = std::ranges::find(values.registers, other->second, &RegisterValue::name);
    return at == values.registers.end() ? nullptr : &*at;
}

bool differs_in_a_lane(const RegisterValue& value, const RegisterValue& other) {
    for (int lane = 0; lane < warp_size; ++lane)
        if (register_text(value, lane, true) != register_text(other, lane, true)) return true;
    return false;
}

class SideOfValues {
  public:
    SideOfValues(const ValuesPart& part, std::string_view name, const std::vector<RegisterRow>& rows,
                 const RegisterValue* strip)
        : part_(part), ink_(part.ink), theme_(part.ink.theme), name_(name), rows_(rows), strip_(strip) {}

    PairedClicks draw(Box box, float& scroll, std::int64_t& first_row) const {
        PairedClicks clicks;
        const StepValues& values = part_.values;
        const float line = text_height(theme_.fonts.words) + ink_.px(4);
        run_heading(ink_, box, name_,
                    {step_words(values),
                     fmt::format("warp {}, lane {}, step {}", values.state.at.warp, values.lane,
                                 grouped(values.state.at.step)),
                     fmt::format("step {}", grouped(values.state.at.step))},
                    theme_.text_dim);
        const auto accessed = access_sentences(values);
        ink_.text(box.take_top(line),
                  accessed.empty() ? values.named.program.sites[values.state.site].text : accessed.front(),
                  theme_.fonts.words, theme_.text);
        if (strip_ != nullptr) ink_.heading(box.take_top(line), {strip_caption(true), strip_caption(false)});
        // In narrower cells, values have no room.
        if (strip_ != nullptr && box.height() > ink_.px(190) && box.width() >= ink_.px(16 * 30)) {
            clicks.lane = draw_lane_strip(part_, *strip_, box.take_top(lane_strip_height(ink_, box.width())));
            box.take_top(ink_.px(6));
        }
        Box grid;
        const float wanted = static_cast<float>(rows_.size()) * register_row_height(ink_) + line;
        if (!values.state.shared.writers.empty() && box.height() > ink_.px(230))
            grid = box.take_bottom(std::max(box.height() - wanted - ink_.px(6), box.height() * 0.4f));
        ink_.text(box.take_top(line), fmt::format("Registers of lane {}", values.lane), theme_.fonts.words,
                  theme_.text);
        clicks.row = draw_registers(part_, rows_, box, scroll);
        if (grid.height() > 0) {
            if (part_.other->values.state.shared.writers.size() == values.state.shared.writers.size())
                ink_.heading(grid.take_top(line),
                             {"Shared memory after the step; the color is the warp that wrote last",
                              "Shared memory; color: the warp that wrote last", "Shared memory"});
            else
                ink_.heading(
                    grid.take_top(line),
                    {"Shared memory after the step, not compared: its sizes differ",
                     "Shared memory, not compared: its sizes differ", "Shared memory, of other size"});
            clicks.word = draw_shared_grid(part_, grid, first_row);
        }
        return clicks;
    }

  private:
    std::string strip_caption(bool with_variable) const {
        const std::string variable = with_variable && !strip_->cuda.empty() ? " (" + strip_->cuda + ")" : "";
        int lanes = 0;
        for (int lane = 0; lane < warp_size; ++lane) lanes += lane_differs(part_, *strip_, lane) ? 1 : 0;
        return fmt::format("{}{}, after the step: {}", strip_->name, variable,
                           counterpart(part_, *strip_) == nullptr ? "no counterpart"
                           : lanes == 0
                               ? "the same in all lanes"
                               : fmt::format("differs in {}", counted(std::uint64_t(lanes), "lane")));
    }

    const ValuesPart& part_;
    const Ink& ink_;
    const Theme& theme_;
    std::string_view name_;
    const std::vector<RegisterRow>& rows_;
    const RegisterValue* strip_;
};

}  // namespace

const RegisterValue* counterpart(const ValuesPart& part, const RegisterValue& value) {
    return part.other ? find_register(part.other->values, part.other->names, value.name) : nullptr;
}

bool lane_differs(const ValuesPart& part, const RegisterValue& value, int lane) {
    const RegisterValue* other = counterpart(part, value);
    return other && register_text(value, lane, true) != register_text(*other, lane, true);
}

ComparedRows paired_rows(const PairedValues& values) {
    ComparedRows rows;
    std::vector<std::size_t> taken;
    struct Row {
        RegisterRow before, after;
        int order;
    };
    std::vector<Row> all;
    for (const RegisterRow& row : register_rows(values.after)) {
        const RegisterValue& value = values.after.registers[row.index];
        Row pair{{}, row, value.result ? 0 : value.operand ? 1 : 4};
        if (const RegisterValue* other = find_register(values.before, values.to_before, value.name)) {
            pair.before.index = static_cast<std::size_t>(other - values.before.registers.data());
            taken.push_back(pair.before.index);
            pair.before.differs = pair.after.differs = register_text(value, values.after.lane, true) !=
                                                       register_text(*other, values.before.lane, true);
            ++rows.both;
            rows.differ += pair.after.differs ? 1 : 0;
            const bool elsewhere = !pair.after.differs && differs_in_a_lane(value, *other);
            rows.elsewhere += elsewhere ? 1 : 0;
            if (elsewhere) pair.order = std::min(pair.order, 3);
            if (pair.after.differs) pair.order = std::min(pair.order, 2);
        }
        all.push_back(pair);
    }
    for (const RegisterRow& row : register_rows(values.before))
        if (std::ranges::find(taken, row.index) == taken.end()) all.push_back({row, {}, 5});
    std::ranges::stable_sort(all, {}, &Row::order);
    for (const Row& row : all) {
        rows.before.push_back(row.before);
        rows.after.push_back(row.after);
    }
    return rows;
}

std::string paired_title(const PairedValues& values, const ComparedRows& rows) {
    const Site& site = values.after.named.program.sites[values.after.state.site];
    const std::string where = site.line == 0 ? fmt::format("`{}`", site.opcode)
                                             : fmt::format("`{}` of line {}", site.opcode, site.line);
    std::string found =
        rows.differ == 0 ? fmt::format("no register of lane {} differs", values.after.lane)
                         : fmt::format("{} of {} of lane {} {}", rows.differ, counted(rows.both, "register"),
                                       values.after.lane, rows.differ == 1 ? "differs" : "differ");
    if (rows.elsewhere > 0)
        found += fmt::format(", {}{} in other lanes",
                             rows.differ > 0 ? "" : fmt::format("{} of {} ", rows.elsewhere, rows.both),
                             rows.differ > 0 ? fmt::format("{} more", rows.elsewhere) : "do");
    return fmt::format("{} → {}: {} after {}", values.before_name, values.after_name, found, where);
}

PairedClicks draw_paired_values(const Ink& ink, const PairedValues& values, const ComparedRows& rows,
                                const RegisterValue* pinned, const Box& box, PairedScroll& scroll,
                                bool interactive) {
    const OtherValues of_before{values.before, values.to_before}, of_after{values.after, values.to_after};
    const ValuesPart before{ink, values.before, interactive, &of_after, "values before"};
    const ValuesPart after{ink, values.after, interactive, &of_before, "values"};
    const RegisterValue* strip = pinned;
    const RegisterValue* old_strip = strip ? counterpart(after, *strip) : nullptr;
    if (old_strip == nullptr) old_strip = main_register(values.before);
    const RunBoxes boxes = boxes_of_runs(ink, box, ink.px(300));
    SideOfValues(before, values.before_name, rows.before, old_strip)
        .draw(boxes.before, scroll.registers, scroll.before_row);
    return SideOfValues(after, values.after_name, rows.after, strip)
        .draw(boxes.after, scroll.registers, scroll.after_row);
}

}  // namespace warplens::app
