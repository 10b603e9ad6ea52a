#include "app/views/sm/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/sm/scheduler_units.h"
#include "app/views/sm/shared_units.h"
#include "app/views/sm/words.h"

namespace warplens::app {
namespace {

using analysis::SchedulerState;
using analysis::SlotState;

std::size_t used_sm_slots(const SmDiagram& diagram) {
    return static_cast<std::size_t>(std::max(diagram.states.schedule().slots_per_scheduler, 1));
}
/// Of a scheduler: as many as the GPU has.
std::size_t sm_slots(const SmDiagram& diagram) {
    const GpuSpec* gpu = diagram.scene.gpu;
    if (!gpu || gpu->schedulers_per_sm <= 0) return used_sm_slots(diagram);
    return std::max(static_cast<std::size_t>(gpu->max_warps_per_sm / gpu->schedulers_per_sm),
                    used_sm_slots(diagram));
}
float sm_slot_line(const Ink& ink) { return text_height(ink.theme.fonts.small) * 0.9f; }

/// Of a slot's cell: the strip of its block, and what its words keep free. Unscaled pixels.
constexpr float slot_chip = 5, slot_margin_left = 4, slot_margin = 3;

class SmDrawing {
  public:
    SmDrawing(const Ink& ink, const SmDiagram& diagram)
        : ink_(ink), theme_(ink.theme), diagram_(diagram), state_(diagram.state) {
        small_ = text_height(theme_.fonts.small);
        words_ = text_height(theme_.fonts.words);
    }

    SmHit draw(Box box) {
        ink_.fill(box, mix(theme_.raised, theme_.background, 0.45), ink_.px(6));
        ink_.outline(box, theme_.hairline, 1, ink_.px(6));
        hit_box("sm diagram", box.min(), box.max());
        detail_ = sm_detail(ink_, diagram_, box);
        box = box.inset(ink_.px(8));
        if (detail_ != SmDetail::slots) {
            const float below = std::clamp(box.height() * 0.15f, shared_units_height(ink_), ink_.px(92));
            draw_shared_units(ink_, diagram_, box.take_bottom(below), hit_);
            box.take_bottom(ink_.px(8));
        }
        const std::size_t count = std::max<std::size_t>(state_.schedulers.size(), 1);
        const float gap = ink_.px(8);
        const float width = (box.width() - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
        for (std::size_t s = 0; s < state_.schedulers.size(); ++s) {
            const float x = box.x0 + (width + gap) * static_cast<float>(s);
            draw_scheduler(s, {x, box.y0, x + width, box.y1});
        }
        draw_chosen();
        return std::move(hit_);
    }

  private:
    bool under_mouse(const Box& box) const { return diagram_.under_mouse(box); }
    const Site* site(SiteId id) const {
        const auto& sites = diagram_.scene.trace->program.sites;
        return id < sites.size() ? &sites[id] : nullptr;
    }
    std::string_view opcode(SiteId id) const {
        const Site* found = site(id);
        return found ? std::string_view(found->opcode) : "";
    }

    void draw_scheduler(std::size_t index, Box box) {
        const SchedulerState& scheduler = state_.schedulers[index];
        ink_.fill(box, theme_.panel, ink_.px(4));
        ink_.outline(box, theme_.hairline, 1, ink_.px(4));
        box = box.inset(ink_.px(6));
        draw_issue(index, scheduler, box.take_top(words_ + ink_.px(8)));
        box.take_top(ink_.px(4));
        if (diagram_.states.has_units() && detail_ != SmDetail::slots) {
            // Pipes take what rows of a good height leave.
            const float slots = static_cast<float>(std::max(slot_count(), std::size_t{1})) * ink_.px(26);
            const float least = scheduler_units_height(ink_, detail_);
            const float most = least + 3 * (ink_.px(53) - small_);
            const Box units = box.take_bottom(std::clamp(box.height() - slots, least, std::max(least, most)));
            box.take_bottom(ink_.px(6));
            draw_scheduler_units(ink_, diagram_, scheduler, units, detail_, hit_);
        }
        draw_slots(scheduler, box);
    }

    void draw_issue(std::size_t index, const SchedulerState& scheduler, Box box) {
        const std::string name = fmt::format("Scheduler {}", index);
        if (box.width() > ink_.px(230)) {
            ink_.text(box.take_left(text_width(theme_.fonts.words, "Scheduler 0") + ink_.px(1)), name,
                      theme_.fonts.words, theme_.text);
            box.take_left(ink_.px(8));
        }
        const bool named = box.width() > ink_.px(160);
        const ImU32 fill = theme_.state(WarpState::selected);
        if (scheduler.issuing == no_index) {
            ink_.outline(box, theme_.hairline, 1, ink_.px(3));
            const Box inside = box.inset(ink_.px(4));
            const std::string brief = name + ": –";
            const bool fits = text_width(theme_.fonts.small, brief) <= inside.width();
            ink_.text(inside,
                      named  ? "issues nothing"
                      : fits ? brief
                             : fmt::format("{}: –", index),
                      theme_.fonts.small, theme_.text_dim, Align::centre);
            if (under_mouse(box)) {
                hit_.sentence = fmt::format("{} issues nothing: none of its warps is eligible.", name);
                hit_.lines.clear();
            }
            return;
        }
        const auto slot = std::ranges::find(scheduler.slots, scheduler.issuing, &SlotState::warp);
        ink_.fill(box, fill, ink_.px(3));
        Box inside = box.inset(ink_.px(4));
        const std::string who = brief_warp(diagram_.states.schedule(), scheduler.issuing);
        const std::string_view what = opcode(slot->site);
        const float who_width = text_width(theme_.fonts.small, who);
        if (text_width(theme_.fonts.code, what) + who_width + ink_.px(12) < inside.width())
            ink_.text(inside.take_right(who_width + 1), who, theme_.fonts.small, theme_.text_on(fill),
                      Align::right);
        const bool fits = text_width(theme_.fonts.code, what) <= inside.width();
        ink_.text(inside, what, fits ? theme_.fonts.code : theme_.fonts.small, theme_.text_on(fill));
        if (under_mouse(box)) explain_slot(*slot);
    }

    // Slots

    std::size_t used_slots() const { return used_sm_slots(diagram_); }
    std::size_t slot_count() const { return sm_slots(diagram_); }
    /// The least height of a slot's row with words.
    float slot_line() const { return sm_slot_line(ink_); }

    void draw_slots(const SchedulerState& scheduler, const Box& box) {
        const std::size_t used = used_slots(), count = slot_count();
        const float least = slot_line();
        std::size_t columns = 1;
        while (columns < 4 && box.height() / static_cast<float>((count + columns - 1) / columns) < least &&
               box.width() / static_cast<float>(columns + 1) > ink_.px(28))
            ++columns;
        const std::size_t rows = (count + columns - 1) / columns;
        // Slots that the launch never fills take less room, if each has a row.
        const float thin = columns == 1 && used < count ? 0.35f : 1;
        const float units = columns == 1 ? static_cast<float>(used) + thin * static_cast<float>(count - used)
                                         : static_cast<float>(rows);
        const float unit = std::min(box.height() / std::max(units, 1.0f), ink_.px(40));
        const float width = box.width() / static_cast<float>(columns);
        float y = box.y0;
        const bool whole_names = names_fit(slot_room(width - (columns > 1 ? ink_.px(2) : 0)));
        for (std::size_t i = 0; i < count; ++i) {
            const float height = i < used ? unit : unit * thin;
            const float x = box.x0 + width * static_cast<float>(i % columns);
            const Box cell{x, y, x + width - (columns > 1 ? ink_.px(2) : 0), y + height - ink_.px(1)};
            if (i % columns == columns - 1 || columns == 1) y += height;
            draw_slot(i < scheduler.slots.size() ? scheduler.slots[i] : SlotState{}, cell, whole_names);
        }
    }

    /// Of a cell's width, what its words have.
    float slot_room(float width) const { return width - ink_.px(slot_chip + slot_margin_left + slot_margin); }

    /// "132:12" of every resident warp: else all cells show the warp's number alone, and the strip the block.
    bool names_fit(float room) const {
        for (const SchedulerState& scheduler : state_.schedulers)
            for (const SlotState& slot : scheduler.slots)
                if (slot.warp != no_index && text_width(theme_.fonts.small, name_of(slot)) > room)
                    return false;
        return true;
    }
    std::string name_of(const SlotState& slot) const {
        return brief_warp(diagram_.states.schedule(), slot.warp);
    }

    /// Around the cell and over its neighbors, so that it covers no words of a low cell.
    void draw_chosen() {
        if (!chosen_cell_) return;
        const float around = chosen_cell_->height() < 1.6f * small_ ? ink_.px(2) : 0;
        ink_.outline(chosen_cell_->inset(-around), theme_.selected, ink_.px(2));
    }

    void draw_slot(const SlotState& slot, const Box& cell, bool whole_name) {
        if (slot.warp == no_index) {
            ink_.hatch(cell, theme_.inactive, 6);
            ink_.outline(cell, theme_.hairline);
            if (under_mouse(cell)) {
                hit_.sentence = "A free warp slot: no warp is resident in it in this cycle.";
                hit_.lines.clear();
            }
            return;
        }
        const ImU32 fill = theme_.state(slot.state);
        ink_.fill(cell, fill);
        if (is_hatched(slot.state)) ink_.hatch(cell, hatch_on(theme_, fill), 4);
        Box inside = cell;
        const std::uint32_t block = diagram_.states.schedule().warps[slot.warp].block;
        const Box chip = inside.take_left(ink_.px(slot_chip));
        ink_.fill(chip, sm_block_colour(theme_, block));
        ink_.line({chip.x1, chip.y0}, {chip.x1, chip.y1}, theme_.panel, ink_.px(1));
        inside.x0 += ink_.px(slot_margin_left);
        if (!diagram_.states.schedule().site_scoreboards.empty()) draw_scoreboards(slot, inside);
        draw_slot_words(slot, inside, fill, whole_name);
        if (slot.warp == diagram_.chosen) chosen_cell_ = cell;
        if (slot.warp == diagram_.hovered) ink_.fill(cell, theme_.hovered);
        hit_box(fmt::format("sm warp {}", slot.warp), cell.min(), cell.max());
        if (under_mouse(cell)) {
            ink_.fill(cell, theme_.hovered);
            explain_slot(slot);
            hit_.warp = slot.warp;
        }
    }

    void draw_slot_words(const SlotState& slot, Box room, ImU32 fill, bool whole_name) {
        const ImU32 ink = theme_.text_on(fill);
        ImFont* font = theme_.fonts.small;
        room.x1 -= ink_.px(slot_margin);
        const std::string who = name_of(slot);
        const std::string_view what = opcode(slot.site);
        const bool issues = slot.state == WarpState::selected;
        // The state before the instruction: it is what the colour stands for.
        const std::string state = fmt::format("{}  {}", who, issues ? what : info(slot.state).title);
        const std::string all = issues ? state : fmt::format("{} → {}", state, what);
        const std::string warp = who.substr(who.find(':') + 1);
        for (const std::string& words : whole_name ? std::vector{all, state, who} : std::vector{warp}) {
            const float width = text_width(font, words);
            if (width > room.width() || text_height(font) * 0.8f > room.height()) continue;
            // Words have a hatch beside them, not below.
            const float beside = ink_.px(2);
            if (is_hatched(slot.state))
                ink_.fill({room.x0 - beside, room.y0, room.x0 + width + beside, room.y1}, fill);
            ink_.text(room, words, font, ink);
            return;
        }
    }

    /// Six marks at the right of a slot; takes their room.
    void draw_scoreboards(const SlotState& slot, Box& room) {
        const bool numbered = room.width() > ink_.px(250) && room.height() >= small_ * 0.8f;
        const float side = numbered ? ink_.px(12) : std::min(ink_.px(6), room.height() - ink_.px(2));
        const float pitch = side + ink_.px(2), width = pitch * scoreboard_count + ink_.px(4);
        if (room.width() < width + ink_.px(50) || side < ink_.px(3)) return;
        hit_.scoreboards = true;
        Box strip = room.take_right(width);
        ink_.fill(strip, theme_.panel);
        for (int i = 0; i < scoreboard_count; ++i) {
            const float x = strip.x0 + ink_.px(3) + pitch * static_cast<float>(i);
            const float half = std::min(side, strip.height() - ink_.px(2)) / 2, y = strip.centre().y;
            const Box mark{x, y - half, x + side, y + half};
            const bool counts = (slot.counting >> i & 1) != 0, waited = (slot.waited >> i & 1) != 0;
            const ImU32 colour = waited ? theme_.cost : counts ? theme_.text_dim : theme_.hairline;
            if (counts) ink_.fill(mark, colour);
            else ink_.outline(mark, colour);
            if (numbered && counts)
                ink_.text_if_fits({mark.x0, mark.y0 - 2, mark.x1, mark.y1 + 2}, fmt::format("{}", i),
                                  theme_.fonts.small, theme_.text_on(colour));
        }
    }

    void explain_slot(const SlotState& slot) {
        SmSlotWords words = slot_words(diagram_, slot);
        hit_.sentence = std::move(words.sentence);
        hit_.lines = std::move(words.lines);
    }

    const Ink& ink_;
    const Theme& theme_;
    const SmDiagram& diagram_;
    const analysis::SmState& state_;
    float small_ = 0, words_ = 0;
    SmDetail detail_ = SmDetail::whole;
    std::optional<Box> chosen_cell_;
    SmHit hit_;
};

}  // namespace

SmDetail sm_detail(const Ink& ink, const SmDiagram& diagram, const Box& box) {
    const Fonts& fonts = ink.theme.fonts;
    // Four columns of slots with words, below who issues.
    const float rows = static_cast<float>((sm_slots(diagram) + 3) / 4);
    const float slots = rows * (sm_slot_line(ink) + ink.px(1)) + text_height(fonts.words) + ink.px(12);
    const float around = ink.px(16 + 8 + 12 + 6) + shared_units_height(ink);
    const auto schedulers = static_cast<float>(std::max<std::size_t>(diagram.state.schedulers.size(), 1));
    const float wide = (scheduler_units_width(ink) + ink.px(12 + 8)) * schedulers + ink.px(16 - 8);
    if (box.width() < wide) return SmDetail::slots;
    for (const SmDetail detail : {SmDetail::whole, SmDetail::low})
        if (slots + around + scheduler_units_height(ink, detail) <= box.height()) return detail;
    return SmDetail::slots;
}

SmHit draw_sm(const Ink& ink, const SmDiagram& diagram, Box box) { return SmDrawing(ink, diagram).draw(box); }

std::vector<LegendEntry> sm_legend(const Theme& theme, std::initializer_list<const SmDiagram*> diagrams,
                                   SmDetail detail, bool with_scoreboards) {
    using Shape = LegendEntry::Shape;
    std::vector<LegendEntry> entries;
    bool units = false, scoreboards = false;
    ByWarpState<std::uint32_t> states;
    ByWarpState<std::string> figures;  // of each run
    for (const SmDiagram* diagram : diagrams) {
        const ByWarpState<std::uint32_t> own = diagram->state.states();
        for (const WarpStateInfo& state : warp_states) {
            states[state.state] += own[state.state];
            std::string& figure = figures[state.state];
            figure += fmt::format("{}{}", figure.empty() ? "" : " → ", own[state.state]);
        }
        units = units || (diagram->states.has_units() && detail != SmDetail::slots);
        scoreboards =
            scoreboards || (with_scoreboards && !diagram->states.schedule().site_scoreboards.empty());
    }
    for (const WarpStateInfo& state : warp_states)
        if (states[state.state] > 0)
            entries.push_back({theme.state(state.state),
                               fmt::format("{} ({})", state.title, figures[state.state]),
                               is_hatched(state.state) ? Shape::filled_hatched : Shape::filled});
    entries.push_back({theme.inactive, "free slot", Shape::hatched});
    entries.push_back({sm_block_colour(theme, 0), "strip: its block; last number: its warp"});
    if (units) entries.push_back({theme.ideal, "pipe busy, place in a queue taken"});
    if (units)
        entries.push_back({mix(theme.ideal, theme.panel, 0.7), "pipe free; number: instructions in it"});
    if (scoreboards) {
        entries.push_back({theme.text_dim, "scoreboard counts"});
        entries.push_back({theme.cost, "scoreboard that the warp waits for"});
    }
    return entries;
}

}  // namespace warplens::app
