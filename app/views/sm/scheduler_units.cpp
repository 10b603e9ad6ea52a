#include "app/views/sm/scheduler_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/ui/text.h"
#include "app/views/sm/words.h"

namespace warplens::app {
namespace {

constexpr std::array<PipeName, 9> pipe_names{
    {{Pipe::fma, "FMA lite", "FMA",
      "FP32 add, multiply and multiply-add: the half of the FMA pipe for these only"},
     {Pipe::fma_heavy, "FMA, IMAD", "IMAD",
      "the half of the FMA pipe that also takes integer multiply-adds and their moves (IMAD, IMAD.MOV); the "
      "profiler names it FMA heavy"},
     {Pipe::alu, "ALU", "ALU", "integer add, logic, compare and select"},
     {Pipe::fp16, "FP16", "FP16", "packed half-precision arithmetic"},
     {Pipe::fp64, "FP64", "FP64", "double-precision arithmetic"},
     {Pipe::xu, "XU", "XU", "special functions and conversions"},
     {Pipe::tensor, "Tensor", "Tens", "matrix multiply-accumulate"},
     {Pipe::uniform, "Uniform", "Unif", "operations whose value is the same in all lanes"},
     {Pipe::branch, "Branch", "Bra", "branches and reconvergence"}}};

struct QueueName {
    const char *name, *what;  // "MIO", and the instructions that wait in it
};
constexpr QueueName mio_name{"MIO", "shared memory, shuffles and votes"};
constexpr QueueName lsu_name{"LSU", "global and local memory"};

/// Unscaled pixels: around pipes and queues, and of a line beyond its words.
constexpr float above_queues = 3, pipe_gap = 3, pipe_air = 5, low_pipe_air = 4, queue_air = 4,
                low_queue_air = 1;

float queues_height(const Ink& ink, SmDetail detail) {
    const float line = text_height(ink.theme.fonts.small);
    return detail == SmDetail::low ? line + ink.px(low_queue_air) : 2 * (line + ink.px(queue_air));
}

class SchedulerUnits {
  public:
    SchedulerUnits(const Ink& ink, const SmDiagram& diagram, SmHit& hit)
        : ink_(ink), theme_(ink.theme), diagram_(diagram), hit_(hit) {}

    void draw_pipes(const analysis::SchedulerState& scheduler, const Box& box) {
        const float gap = ink_.px(pipe_gap), width = (box.width() - 2 * gap) / 3, height = box.height() / 3;
        for (std::size_t i = 0; i < pipe_names.size(); ++i) {
            const float x = box.x0 + (width + gap) * static_cast<float>(i % 3);
            const float y = box.y0 + height * static_cast<float>(i / 3);
            draw_pipe(pipe_names[i], scheduler.pipes[static_cast<std::size_t>(pipe_names[i].pipe)],
                      {x, y, x + width, y + height - gap});
        }
    }

    void draw_queue(const std::vector<analysis::HeldInstruction>& queue, int places, const Box& whole,
                    const QueueName& name, bool places_drawn) {
        const bool full = places > 0 && queue.size() >= static_cast<std::size_t>(places);
        Box box = whole;
        box.x0 += std::max(ink_.text(box, name.name, theme_.fonts.small, theme_.text),
                           text_width(theme_.fonts.small, "MIO")) +
                  ink_.px(6);
        const std::string words = fmt::format("{} of {}", queue.size(), places);
        const ImU32 colour = full ? theme_.cost : theme_.text_dim;
        if (places_drawn) {
            ink_.text(box.take_right(text_width(theme_.fonts.small, "12 of 12") + 1), words,
                      theme_.fonts.small, colour, Align::right);
            box.take_right(ink_.px(6));
            draw_places(queue.size(), places, box, full ? theme_.cost : theme_.ideal);
        } else {
            ink_.text(box, words, theme_.fonts.small, colour);
        }
        if (!diagram_.under_mouse(whole)) return;
        hit_.sentence = fmt::format("The {} queue of this scheduler: instructions for {} wait here in order.",
                                    name.name, name.what);
        hit_.lines.clear();
        for (const analysis::HeldInstruction& one : queue) hit_.lines.push_back(held_words(diagram_, one));
    }

  private:
    void draw_places(std::size_t held, int places, const Box& box, ImU32 colour) const {
        const float pitch = box.width() / static_cast<float>(std::max(places, 1));
        for (int i = 0; i < places; ++i) {
            const float x = box.x0 + pitch * static_cast<float>(i);
            const Box cell{x, box.y0 + ink_.px(3), x + pitch - ink_.px(2), box.y1 - ink_.px(3)};
            if (static_cast<std::size_t>(i) < held) ink_.fill(cell, colour);
            else ink_.outline(cell, theme_.hairline);
        }
    }

    std::string_view opcode(SiteId id) const {
        const auto& sites = diagram_.scene.trace->program.sites;
        return id < sites.size() ? std::string_view(sites[id].opcode) : "";
    }

    void draw_pipe(const PipeName& name, const analysis::PipeState& pipe, const Box& cell) {
        const bool busy = pipe.taking.warp != no_index;
        const ImU32 fill = busy              ? theme_.ideal
                           : pipe.inside > 0 ? mix(theme_.ideal, theme_.panel, 0.7)
                                             : theme_.raised;
        ink_.fill(cell, fill, ink_.px(2));
        ink_.outline(cell, theme_.hairline, 1, ink_.px(2));
        const ImU32 ink = busy || pipe.inside > 0 ? theme_.text_on(fill) : theme_.text_dim;
        ImFont* font = theme_.fonts.small;
        const float line = text_height(font);
        Box inside{cell.x0 + ink_.px(4), cell.y0, cell.x1 - ink_.px(4), cell.y1};
        const bool two_lines = inside.height() >= 2 * line + ink_.px(4);
        if (two_lines) {
            inside = {inside.x0, cell.centre().y - line, inside.x1, cell.centre().y + line};
            const Box below = inside.take_bottom(line);
            if (busy) ink_.text(below, opcode(pipe.taking.site), font, ink);
        }
        const std::string count = pipe.inside > 0 ? fmt::format("{}", pipe.inside) : std::string();
        const float number = text_width(font, count);
        const bool whole = text_width(font, name.name) + number + ink_.px(4) <= inside.width();
        ink_.text(inside, count, font, ink, Align::right);
        inside.x1 -= number;
        inside.x0 += ink_.text(inside, whole ? name.name : name.brief, font, ink) + ink_.px(6);
        inside.x1 -= ink_.px(6);
        if (busy && !two_lines) ink_.text_if_fits(inside, opcode(pipe.taking.site), font, ink, Align::left);
        if (!diagram_.under_mouse(cell)) return;
        SmSlotWords words = pipe_words(diagram_, name, pipe);
        hit_.sentence = std::move(words.sentence);
        hit_.lines = std::move(words.lines);
    }

    const Ink& ink_;
    const Theme& theme_;
    const SmDiagram& diagram_;
    SmHit& hit_;
};

}  // namespace

float scheduler_units_height(const Ink& ink, SmDetail detail) {
    const float air = ink.px(detail == SmDetail::low ? low_pipe_air : pipe_air);
    return 3 * (text_height(ink.theme.fonts.small) + air) + ink.px(above_queues) + queues_height(ink, detail);
}

float scheduler_units_width(const Ink& ink) {
    float widest = 0;
    for (const PipeName& name : pipe_names)
        widest = std::max(widest, text_width(ink.theme.fonts.small, name.brief));
    return 3 * (widest + text_width(ink.theme.fonts.small, "1") + ink.px(8)) + 2 * ink.px(pipe_gap);
}

void draw_scheduler_units(const Ink& ink, const SmDiagram& diagram, const analysis::SchedulerState& scheduler,
                          Box box, SmDetail detail, SmHit& hit) {
    SchedulerUnits units(ink, diagram, hit);
    int mio_places = 0, lsu_places = 0;
    if (diagram.scene.gpu) {
        const SmTiming& timing = sm_timing(*diagram.scene.gpu);
        mio_places = timing.mio_queue;
        lsu_places = timing.lsu_queue;
    }
    Box mio = box.take_bottom(queues_height(ink, detail));
    box.take_bottom(ink.px(above_queues));
    units.draw_pipes(scheduler, box);
    const bool low = detail == SmDetail::low;
    const Box lsu = low ? mio.take_right(mio.width() / 2) : mio.take_bottom(mio.height() / 2);
    units.draw_queue(scheduler.mio_queue, mio_places, mio, mio_name, !low);
    units.draw_queue(scheduler.lsu_queue, lsu_places, lsu, lsu_name, !low);
}

}  // namespace warplens::app
