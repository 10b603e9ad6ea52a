#include "app/views/sm/shared_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/warps/occupancy.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

struct FlightLevel {
    const char *name, *what;
    trace::ServedBy by;
};
constexpr std::array<FlightLevel, 5> flight_levels{
    {{"shared", "shared memory", trace::ServedBy::shared},
     {"L1", "L1", trace::ServedBy::l1},
     {"L2", "L2", trace::ServedBy::l2},
     {"DRAM", "DRAM", trace::ServedBy::dram},
     {"const", "the constant cache", trace::ServedBy::constant}}};

struct Allotment {
    std::uint64_t whole = 0, per_block = 0;
    std::uint64_t cache = 0;  // at its end: L1, which no block can have
    const char* of_blocks;    // "registers", "bytes of shared memory"
};

/// Of a bar, what no block has; `used`: by something else, else it is hatched.
void draw_rest_of_bar(const Ink& ink, const Box& rest, const char* name, bool used) {
    const Theme& theme = ink.theme;
    if (rest.width() <= 1) return;
    ink.fill(rest, used ? mix(theme.ideal, theme.panel, 0.75) : mix(theme.raised, theme.background, 0.3));
    if (!used) ink.hatch(rest, theme.inactive);
    ink.outline(rest, theme.hairline);
    const float words = text_width(theme.fonts.small, name) + ink.px(8);
    if (words > rest.width()) return;
    const Box label{rest.centre().x - words / 2, rest.y0 + 1, rest.centre().x + words / 2, rest.y1 - 1};
    if (!used) ink.fill(label, theme.panel);
    ink.text(label, name, theme.fonts.small, theme.text, Align::centre);
}

/// One bar: a part for each resident block, what further blocks could have, and L1.
void draw_allotment(const Ink& ink, const SmDiagram& diagram, const Allotment& of, Box bar, SmHit& hit) {
    const Theme& theme = ink.theme;
    if (of.whole == 0) return;
    const auto x_of = [&](std::uint64_t amount) {
        return bar.x0 +
               bar.width() * static_cast<float>(double(std::min(amount, of.whole)) / double(of.whole));
    };
    std::uint64_t taken = 0;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const std::uint32_t index : diagram.state.blocks) {
        if (of.per_block == 0) break;
        const Box part{x_of(taken), bar.y0, x_of(taken + of.per_block) - ink.px(1), bar.y1};
        taken += of.per_block;
        const ImU32 fill = sm_block_colour(theme, index);
        const std::string name = grouped(diagram.states.schedule().blocks[index].block);
        ink.fill(part, fill);
        ink.text_if_fits(part, name, theme.fonts.small, theme.text_on(fill));
        if (diagram.interactive && part.has(mouse)) {
            hit.sentence = fmt::format("Block {} has {} {} until its last warp ends.", name,
                                       grouped(of.per_block), of.of_blocks);
            hit.lines = {fmt::format("{} of {}", grouped(of.per_block), grouped(of.whole))};
        }
    }
    const float cache = x_of(of.whole - std::min(of.cache, of.whole));
    draw_rest_of_bar(ink, {x_of(taken), bar.y0, cache, bar.y1}, "free", false);
    draw_rest_of_bar(ink, {std::max(cache, x_of(taken)), bar.y0, bar.x1, bar.y1}, "L1", true);
}

void draw_in_flight(const Ink& ink, const SmDiagram& diagram, Box box, SmHit& hit) {
    const Theme& theme = ink.theme;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto& counts = diagram.state.in_flight;
    const std::size_t shown = counts[4] > 0 ? 5 : 4;
    const float pitch = box.width() / static_cast<float>(shown);
    const float small = text_height(theme.fonts.small), title = text_height(theme.fonts.title);
    for (std::size_t i = 0; i < shown; ++i) {
        const float x = box.x0 + pitch * static_cast<float>(i);
        Box cell{x, box.y0, x + pitch - ink.px(4), box.y1};
        const std::uint32_t count = counts[static_cast<std::size_t>(flight_levels[i].by)];
        if (diagram.interactive && cell.has(mouse)) {
            hit.sentence = fmt::format(
                "{} on the way that {} serves: issued, and their last data not yet "
                "in registers; of stores, not yet out of the SM.",
                counted(count, "request"), flight_levels[i].what);
        }
        const ImU32 ink_of = count > 0 ? theme.text : theme.text_dim;
        if (cell.height() >= small + title) {
            const float top = cell.centre().y - (small + title) / 2;
            ink.text({cell.x0, top, cell.x1, top + title}, grouped(count), theme.fonts.title, ink_of);
            ink.text({cell.x0, top + title, cell.x1, top + title + small}, flight_levels[i].name,
                     theme.fonts.small, theme.text_dim);
        } else {
            ink.text(cell, fmt::format("{} {}", flight_levels[i].name, count), theme.fonts.small, ink_of);
        }
    }
}

}  // namespace

ImU32 sm_block_colour(const Theme& theme, std::uint32_t block) {
    return theme.category(static_cast<int>(block % 8));
}

SmShares sm_shares(const Scene& scene) {
    SmShares shares;
    if (!scene.gpu || !scene.trace) return shares;
    const trace::Launch& launch = scene.trace->launch;
    shares.registers = static_cast<std::uint64_t>(std::max(scene.gpu->registers_per_sm, 0));
    shares.array_bytes = sm_timing(*scene.gpu).l1_bytes;
    const analysis::Occupancy fit = analysis::occupancy(
        *scene.gpu,
        {launch.geometry.threads_per_block(), static_cast<int>(launch.resources.registers_per_thread),
         static_cast<int>(launch.resources.shared_static_bytes + launch.geometry.dynamic_shared_bytes)});
    if (fit.blocks_per_sm <= 0) return shares;
    shares.registers_per_block = static_cast<std::uint64_t>(fit.used[2] / fit.blocks_per_sm);
    shares.shared_per_block = static_cast<std::uint64_t>(fit.used[3] / fit.blocks_per_sm);
    return shares;
}

Box sm_panel(const Ink& ink, Box box, std::string_view caption, std::string_view figures) {
    const Theme& theme = ink.theme;
    ink.fill(box, theme.panel, ink.px(4));
    ink.outline(box, theme.hairline, 1, ink.px(4));
    Box inside = box.inset(ink.px(6));
    Box head = inside.take_top(text_height(theme.fonts.small) + ink.px(2));
    head.x0 += ink.text(head, caption, theme.fonts.small, theme.text) + ink.px(8);
    ink.text_if_fits(head, figures, theme.fonts.small, theme.text_dim, Align::right);
    return inside;
}

float shared_units_height(const Ink& ink) { return 2 * text_height(ink.theme.fonts.small) + ink.px(22); }

void draw_shared_units(const Ink& ink, const SmDiagram& diagram, Box box, SmHit& hit) {
    const SmShares shares = sm_shares(diagram.scene);
    const auto blocks = static_cast<std::uint64_t>(diagram.state.blocks.size());
    const float gap = ink.px(8), width = (box.width() - 2 * gap) * 0.29f;
    Box one = box.take_left(width);
    box.take_left(gap);
    Box two = box.take_left(width);
    box.take_left(gap);
    const std::uint64_t registers = std::min(blocks * shares.registers_per_block, shares.registers);
    const Box file =
        sm_panel(ink, one, "Register file",
                 fmt::format("{} of {} registers", grouped(registers), grouped(shares.registers)));
    draw_allotment(ink, diagram, {shares.registers, shares.registers_per_block, 0, "registers"}, file, hit);
    const std::uint64_t shared = std::min(blocks * shares.shared_per_block, shares.array_bytes);
    // What the model leaves for L1 beside the most blocks that fit; recordings know nothing of it.
    const std::uint64_t modelled = diagram.states.schedule().l1_bytes;
    const std::uint64_t cache =
        std::min(modelled > 0 ? modelled : shares.array_bytes - shared, shares.array_bytes - shared);
    const Box array = sm_panel(ink, two, "Shared memory and L1",
                               fmt::format("{} shared · {} L1", bytes_words(shared), bytes_words(cache)));
    draw_allotment(ink, diagram,
                   {shares.array_bytes, shares.shared_per_block, cache, "bytes of shared memory"}, array,
                   hit);
    const Box flights = sm_panel(ink, box, "Requests in flight", "by the level that serves them");
    draw_in_flight(ink, diagram, flights, hit);
}

}  // namespace warplens::app
