#include "app/views/sm/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/number.h"
#include "app/views/shared/access_words.h"

namespace warplens::app {
namespace {

const Site* site_of(const SmDiagram& diagram, SiteId id) {
    const auto& sites = diagram.scene.trace->program.sites;
    return id < sites.size() ? &sites[id] : nullptr;
}

std::string opcode_of(const SmDiagram& diagram, SiteId id) {
    const Site* site = site_of(diagram, id);
    return site ? site->opcode : std::string("an instruction");
}

/// "0 and 3"
std::string numbers_of(std::uint8_t bits) {
    std::vector<std::string> numbers;
    for (int i = 0; i < scoreboard_count; ++i)
        if ((bits >> i & 1) != 0) numbers.push_back(fmt::format("{}", i));
    std::string words;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        words += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + numbers[i];
    return words;
}

/// A warp that waits for its own interval, and not for a place in the queue: the interval; else 0.
int own_interval(const SmDiagram& diagram, const analysis::SlotState& slot) {
    if (!diagram.scene.gpu || !diagram.states.has_units()) return 0;
    const SmTiming& timing = sm_timing(*diagram.scene.gpu);
    const auto& scheduler = diagram.state.schedulers[diagram.states.schedule().warps[slot.warp].scheduler];
    const auto has_room = [](const auto& queue, int places) {
        return static_cast<int>(queue.size()) < places;
    };
    if (slot.state == WarpState::mio_throttle && has_room(scheduler.mio_queue, timing.mio_queue))
        return timing.mio_warp_interval;
    if (slot.state == WarpState::lg_throttle && has_room(scheduler.lsu_queue, timing.lsu_queue))
        return timing.lsu_warp_interval;
    return 0;
}

}  // namespace

std::string brief_warp(const trace::Schedule& schedule, std::uint32_t warp) {
    const trace::ScheduledBlock& block = schedule.blocks[schedule.warps[warp].block];
    return fmt::format("{}:{}", block.block, warp - block.first_warp);
}

std::string warp_in_words(const SmDiagram& diagram, std::uint32_t warp) {
    const trace::Schedule& schedule = diagram.states.schedule();
    const trace::ScheduledBlock& block = schedule.blocks[schedule.warps[warp].block];
    return fmt::format("warp {} of {}", warp - block.first_warp,
                       block_words(*diagram.scene.trace, block.block));
}

SmSlotWords slot_words(const SmDiagram& diagram, const analysis::SlotState& slot) {
    SmSlotWords words;
    std::string who = warp_in_words(diagram, slot.warp);
    who[0] = 'W';
    if (slot.state == WarpState::selected)
        words.sentence = fmt::format("{} issues `{}`.", who, opcode_of(diagram, slot.site));
    else words.sentence = fmt::format("{}: {}.", who, info(slot.state).sentence);
    if (const Site* site = site_of(diagram, slot.site)) {
        words.lines.push_back(
            fmt::format("{}{}", slot.state == WarpState::selected ? "" : "next: ", site->text));
        if (site->line != 0) words.lines.push_back(fmt::format("line {}", site->line));
    }
    words.lines.push_back(fmt::format("{} · since cycle {}, until {}", info(slot.state).name,
                                      grouped(slot.since), grouped(slot.until)));
    if (const int interval = own_interval(diagram, slot); interval > 0)
        words.lines.push_back(
            fmt::format("the queue has room: a warp sends it an instruction every {} cycles", interval));
    if (slot.waited != 0)
        words.lines.push_back(fmt::format("waits for scoreboard {}", numbers_of(slot.waited)));
    if (slot.counting != 0)
        words.lines.push_back(fmt::format("not zero: scoreboard {}", numbers_of(slot.counting)));
    return words;
}

SmSlotWords pipe_words(const SmDiagram& diagram, const PipeName& name, const analysis::PipeState& pipe) {
    SmSlotWords words;
    words.sentence = fmt::format("{}: {}.", name.name, name.what);
    if (pipe.taking.warp != no_index)
        words.lines.push_back(fmt::format("takes {} of {}; free in {}", opcode_of(diagram, pipe.taking.site),
                                          brief_warp(diagram.states.schedule(), pipe.taking.warp),
                                          counted(pipe.taking.until - diagram.state.cycle, "cycle")));
    else words.lines.push_back("free: it takes an instruction in this cycle");
    words.lines.push_back(fmt::format("{} in it, with results to come", counted(pipe.inside, "instruction")));
    return words;
}

std::string held_words(const SmDiagram& diagram, const analysis::HeldInstruction& held) {
    return fmt::format("{} {}, issued {} ago, leaves in {}", brief_warp(diagram.states.schedule(), held.warp),
                       opcode_of(diagram, held.site), counted(diagram.state.cycle - held.issued, "cycle"),
                       counted(held.until - diagram.state.cycle, "cycle"));
}

std::string sm_state_words(const SmDiagram& diagram) {
    const analysis::SmState& state = diagram.state;
    const std::uint32_t resident = state.resident_warps();
    if (resident == 0) return "no warp is resident";
    const ByWarpState<std::uint32_t> states = state.states();
    const auto waits = [&](WarpState one) { return one == WarpState::selected ? 0u : states[one]; };
    const auto most =
        std::ranges::max_element(warp_states, {}, [&](const WarpStateInfo& one) { return waits(one.state); });
    if (waits(most->state) == 0) return "every resident warp issues";
    const std::uint32_t issuing = states[WarpState::selected];
    if (const auto kinds =
            std::ranges::count_if(warp_states, [&](const auto& one) { return waits(one.state) > 0; });
        kinds > 1 && issuing > waits(most->state))
        return fmt::format("{} of {} issue, the others in {} states", issuing, counted(resident, "warp"),
                           kinds);
    return fmt::format("{} of {} in “{}”", waits(most->state), counted(resident, "warp"), most->title);
}

std::string sm_title(const SmDiagram& diagram) {
    return fmt::format("`{}`, cycle {}: {}", diagram.scene.trace->launch.kernel, grouped(diagram.state.cycle),
                       sm_state_words(diagram));
}

std::string sm_title_of_both(const SmDiagram& diagram, const SmDiagram& before,
                             std::string_view before_name) {
    const std::string was = sm_state_words(before);
    if (was == sm_state_words(diagram))
        return sm_title(diagram) + fmt::format("; the same in {}", before_name);
    return sm_title(diagram) + fmt::format("; in {}, {}", before_name, was);
}

std::string sm_facts(const SmDiagram& diagram) {
    const analysis::SmState& state = diagram.state;
    const GpuSpec* gpu = diagram.scene.gpu;
    std::string facts =
        fmt::format("cycle {} of {}", grouped(state.cycle), grouped(diagram.states.schedule().totals.cycles));
    facts += gpu ? fmt::format(" · {} of {} warp slots taken", state.resident_warps(), gpu->max_warps_per_sm)
                 : fmt::format(" · {}", counted(state.resident_warps(), "resident warp"));
    facts += fmt::format(" · {}", counted(state.blocks.size(), "resident block"));
    // The names of slots, by one that is there: the last warp of the last block.
    if (!state.blocks.empty()) {
        const trace::Schedule& schedule = diagram.states.schedule();
        const trace::ScheduledBlock& block = schedule.blocks[state.blocks.back()];
        const std::uint32_t last = block.first_warp + std::max(block.warp_count, 1u) - 1;
        facts += fmt::format(" · {} is warp {} of block {}", brief_warp(schedule, last),
                             last - block.first_warp, block.block);
    }
    return facts;
}

}  // namespace warplens::app
