#include "app/views/sm/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/sm/shared_units.h"
#include "app/views/sm/words.h"

namespace warplens::app {
namespace {

using analysis::SchedulerState;
using analysis::SlotState;

constexpr std::array<PipeName, 9> pipe_names{
    {{Pipe::fma, "FMA", "FMA", "FP32 add, multiply and multiply-add: the half that takes only these"},
     {Pipe::fma_heavy, "FMA heavy", "IMAD", "the half of the FMA pipe that also multiplies integers"},
     {Pipe::alu, "ALU", "ALU", "integer add, logic, compare and select"},
     {Pipe::fp16, "FP16", "FP16", "packed half-precision arithmetic"},
     {Pipe::fp64, "FP64", "FP64", "double-precision arithmetic"},
     {Pipe::xu, "XU", "XU", "special functions and conversions"},
     {Pipe::tensor, "Tensor", "Tens", "matrix multiply-accumulate"},
     {Pipe::uniform, "Uniform", "Unif", "operations whose value is the same in all lanes"},
     {Pipe::branch, "Branch", "Bra", "branches and reconvergence"}}};

class SmDrawing {
  public:
    SmDrawing(const Ink& ink, const SmDiagram& diagram)
        : ink_(ink), theme_(ink.theme), diagram_(diagram), state_(diagram.state) {
        small_ = text_height(theme_.fonts.small);
        words_ = text_height(theme_.fonts.words);
        if (diagram.scene.gpu) {
            const SmTiming& timing = sm_timing(*diagram.scene.gpu);
            mio_places_ = timing.mio_queue;
            lsu_places_ = timing.lsu_queue;
        }
    }

    SmHit draw(Box box) {
        ink_.fill(box, mix(theme_.raised, theme_.background, 0.45), ink_.px(6));
        ink_.outline(box, theme_.hairline, 1, ink_.px(6));
        hit_box("sm diagram", box.min(), box.max());
        box = box.inset(ink_.px(8));
        const float below = std::clamp(box.height() * 0.15f, small_ * 2 + ink_.px(22), ink_.px(92));
        const Box shared = box.take_bottom(below);
        box.take_bottom(ink_.px(8));
        draw_shared_units(ink_, diagram_, shared, hit_);
        const std::size_t count = std::max<std::size_t>(state_.schedulers.size(), 1);
        const float gap = ink_.px(8);
        const float width = (box.width() - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
        for (std::size_t s = 0; s < state_.schedulers.size(); ++s) {
            const float x = box.x0 + (width + gap) * static_cast<float>(s);
            draw_scheduler(s, {x, box.y0, x + width, box.y1});
        }
        return std::move(hit_);
    }

  private:
    bool under_mouse(const Box& box) const {
        return diagram_.interactive && ImGui::IsWindowHovered() && box.has(ImGui::GetIO().MousePos);
    }
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
        if (diagram_.states.has_units()) {
            const float queue = small_ + ink_.px(4);
            const Box lsu = box.take_bottom(queue), mio = box.take_bottom(queue);
            box.take_bottom(ink_.px(3));
            // Pipes take what rows of a good height leave.
            const float slots = static_cast<float>(std::max(slot_count(), std::size_t{1})) * ink_.px(26);
            const Box pipes =
                box.take_bottom(std::clamp(box.height() - slots, 3 * (small_ + ink_.px(5)), 3 * ink_.px(58)));
            box.take_bottom(ink_.px(6));
            draw_pipes(scheduler, pipes);
            draw_queue(scheduler.mio_queue, mio_places_, mio, "MIO", "shared memory, shuffles and votes");
            draw_queue(scheduler.lsu_queue, lsu_places_, lsu, "LSU", "global and local memory");
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
            ink_.text(box.inset(ink_.px(4)), named ? "issues nothing" : name + ": –", theme_.fonts.small,
                      theme_.text_dim, Align::centre);
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
        ink_.text(inside, what, theme_.fonts.code, theme_.text_on(fill));
        if (under_mouse(box)) explain_slot(*slot);
    }

    // Slots

    std::size_t used_slots() const {
        return static_cast<std::size_t>(std::max(diagram_.states.schedule().slots_per_scheduler, 1));
    }
    /// Of a scheduler: as many as the GPU has.
    std::size_t slot_count() const {
        const GpuSpec* gpu = diagram_.scene.gpu;
        if (!gpu || gpu->schedulers_per_sm <= 0) return used_slots();
        return std::max(static_cast<std::size_t>(gpu->max_warps_per_sm / gpu->schedulers_per_sm),
                        used_slots());
    }

    void draw_slots(const SchedulerState& scheduler, const Box& box) {
        const std::size_t used = used_slots(), count = slot_count();
        const float least = small_ * 0.9f;
        std::size_t columns = 1;
        while (columns < 4 && box.height() / static_cast<float>((count + columns - 1) / columns) < least &&
               box.width() / static_cast<float>(columns + 1) > ink_.px(36))
            ++columns;
        const std::size_t rows = (count + columns - 1) / columns;
        // Slots that the launch never fills take less room, if each has a row.
        const float thin = columns == 1 && used < count ? 0.35f : 1;
        const float units = columns == 1 ? static_cast<float>(used) + thin * static_cast<float>(count - used)
                                         : static_cast<float>(rows);
        const float unit = std::min(box.height() / std::max(units, 1.0f), ink_.px(40));
        const float width = box.width() / static_cast<float>(columns);
        float y = box.y0;
        for (std::size_t i = 0; i < count; ++i) {
            const float height = i < used ? unit : unit * thin;
            const float x = box.x0 + width * static_cast<float>(i % columns);
            const Box cell{x, y, x + width - (columns > 1 ? ink_.px(2) : 0), y + height - ink_.px(1)};
            if (i % columns == columns - 1 || columns == 1) y += height;
            draw_slot(i < scheduler.slots.size() ? scheduler.slots[i] : SlotState{}, cell);
        }
    }

    void draw_slot(const SlotState& slot, const Box& cell) {
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
        const Box chip = inside.take_left(ink_.px(5));
        ink_.fill(chip, sm_block_colour(theme_, block));
        ink_.line({chip.x1, chip.y0}, {chip.x1, chip.y1}, theme_.panel, ink_.px(1));
        inside.x0 += ink_.px(4);
        if (!diagram_.states.schedule().site_scoreboards.empty()) draw_scoreboards(slot, inside);
        draw_slot_words(slot, inside, fill);
        if (slot.warp == diagram_.chosen) ink_.outline(cell, theme_.selected, ink_.px(2));
        if (slot.warp == diagram_.hovered) ink_.fill(cell, theme_.hovered);
        hit_box(fmt::format("sm warp {}", slot.warp), cell.min(), cell.max());
        if (under_mouse(cell)) {
            ink_.fill(cell, theme_.hovered);
            explain_slot(slot);
            hit_.warp = slot.warp;
        }
    }

    void draw_slot_words(const SlotState& slot, Box room, ImU32 fill) {
        const ImU32 ink = theme_.text_on(fill);
        room.x1 -= ink_.px(3);
        const std::string who = brief_warp(diagram_.states.schedule(), slot.warp);
        const std::string_view what = opcode(slot.site);
        const bool issues = slot.state == WarpState::selected;
        const std::string both = fmt::format("{}  {}{}", who, issues ? "" : "→ ", what);
        const std::string all = issues ? both : fmt::format("{}  {} → {}", who, info(slot.state).title, what);
        ink_.text_if_fits(room, all, theme_.fonts.small, ink, Align::left) ||
            ink_.text_if_fits(room, both, theme_.fonts.small, ink, Align::left) ||
            ink_.text_if_fits(room, who, theme_.fonts.small, ink, Align::left);
    }

    /// Six marks at the right of a slot; takes their room.
    void draw_scoreboards(const SlotState& slot, Box& room) {
        const bool numbered = room.width() > ink_.px(250) && room.height() >= small_ * 0.8f;
        const float side = numbered ? ink_.px(12) : std::min(ink_.px(6), room.height() - ink_.px(2));
        const float pitch = side + ink_.px(2), width = pitch * scoreboard_count + ink_.px(4);
        if (room.width() < width + ink_.px(50) || side < ink_.px(3)) return;
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

    // Pipes and queues

    void draw_pipes(const SchedulerState& scheduler, const Box& box) {
        const float gap = ink_.px(3), width = (box.width() - 2 * gap) / 3, height = box.height() / 3;
        for (std::size_t i = 0; i < pipe_names.size(); ++i) {
            const float x = box.x0 + (width + gap) * static_cast<float>(i % 3);
            const float y = box.y0 + height * static_cast<float>(i / 3);
            draw_pipe(pipe_names[i], scheduler.pipes[static_cast<std::size_t>(pipe_names[i].pipe)],
                      {x, y, x + width, y + height - gap});
        }
    }

    void draw_pipe(const PipeName& name, const analysis::PipeState& pipe, const Box& cell) {
        const bool busy = pipe.taking.warp != no_index;
        const ImU32 fill = busy              ? theme_.ideal
                           : pipe.inside > 0 ? mix(theme_.ideal, theme_.panel, 0.7)
                                             : theme_.raised;
        ink_.fill(cell, fill, ink_.px(2));
        ink_.outline(cell, theme_.hairline, 1, ink_.px(2));
        const ImU32 ink = busy || pipe.inside > 0 ? theme_.text_on(fill) : theme_.text_dim;
        Box inside{cell.x0 + ink_.px(4), cell.y0, cell.x1 - ink_.px(4), cell.y1};
        const bool two_lines = inside.height() >= 2 * small_ + ink_.px(4);
        if (two_lines) {
            inside = {inside.x0, cell.centre().y - small_, inside.x1, cell.centre().y + small_};
            const Box below = inside.take_bottom(small_);
            if (busy) ink_.text(below, opcode(pipe.taking.site), theme_.fonts.small, ink);
        }
        const std::string count = pipe.inside > 0 ? fmt::format("{}", pipe.inside) : std::string();
        const float number = text_width(theme_.fonts.small, count);
        const bool whole = text_width(theme_.fonts.small, name.name) + number + ink_.px(4) <= inside.width();
        ink_.text(inside, count, theme_.fonts.small, ink, Align::right);
        inside.x1 -= number;
        const float used =
            ink_.text(inside, whole ? name.name : name.brief, theme_.fonts.small, ink) + ink_.px(6);
        inside.x0 += used;
        inside.x1 -= ink_.px(6);
        if (busy && !two_lines)
            ink_.text_if_fits(inside, opcode(pipe.taking.site), theme_.fonts.small, ink, Align::left);
        if (!under_mouse(cell)) return;
        SmSlotWords words = pipe_words(diagram_, name, pipe);
        hit_.sentence = std::move(words.sentence);
        hit_.lines = std::move(words.lines);
    }

    void draw_queue(const std::vector<analysis::HeldInstruction>& queue, int places, Box box,
                    const char* name, const char* what) {
        const bool full = places > 0 && queue.size() >= static_cast<std::size_t>(places);
        Box whole = box;
        box.x0 += std::max(ink_.text(box, name, theme_.fonts.small, theme_.text),
                           text_width(theme_.fonts.small, "MIO")) +
                  ink_.px(6);
        const std::string words = fmt::format("{} of {}", queue.size(), places);
        ink_.text(box.take_right(text_width(theme_.fonts.small, "12 of 12") + 1), words, theme_.fonts.small,
                  full ? theme_.cost : theme_.text_dim, Align::right);
        box.take_right(ink_.px(6));
        const float pitch = box.width() / static_cast<float>(std::max(places, 1));
        for (int i = 0; i < places; ++i) {
            const float x = box.x0 + pitch * static_cast<float>(i);
            const Box cell{x, box.y0 + ink_.px(3), x + pitch - ink_.px(2), box.y1 - ink_.px(3)};
            const bool held = static_cast<std::size_t>(i) < queue.size();
            if (held) ink_.fill(cell, full ? theme_.cost : theme_.ideal);
            else ink_.outline(cell, theme_.hairline);
        }
        if (!under_mouse(whole)) return;
        hit_.sentence = fmt::format("The {} queue of this scheduler: instructions for {} wait here in order.",
                                    name, what);
        hit_.lines.clear();
        for (const analysis::HeldInstruction& one : queue) hit_.lines.push_back(held_words(diagram_, one));
    }

    const Ink& ink_;
    const Theme& theme_;
    const SmDiagram& diagram_;
    const analysis::SmState& state_;
    float small_ = 0, words_ = 0;
    int mio_places_ = 0, lsu_places_ = 0;
    SmHit hit_;
};

}  // namespace

SmHit draw_sm(const Ink& ink, const SmDiagram& diagram, Box box) { return SmDrawing(ink, diagram).draw(box); }

std::vector<LegendEntry> sm_legend(const Theme& theme, std::initializer_list<const SmDiagram*> diagrams) {
    using Shape = LegendEntry::Shape;
    std::vector<LegendEntry> entries;
    bool units = false, scoreboards = false;
    ByWarpState<std::uint32_t> states;
    for (const SmDiagram* diagram : diagrams) {
        const ByWarpState<std::uint32_t> own = diagram->state.states();
        for (const WarpStateInfo& state : warp_states) states[state.state] += own[state.state];
        units = units || diagram->states.has_units();
        scoreboards = scoreboards || !diagram->states.schedule().site_scoreboards.empty();
    }
    for (const WarpStateInfo& state : warp_states)
        if (states[state.state] > 0)
            entries.push_back({theme.state(state.state),
                               fmt::format("{} ({})", state.title, states[state.state]),
                               is_hatched(state.state) ? Shape::filled_hatched : Shape::filled});
    entries.push_back({theme.inactive, "free slot", Shape::hatched});
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
