#include "simt/functional/machine/shared_registers.h"

#include <fmt/format.h>

#include "core/lane_mask.h"
#include "sass/uniform_use.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/block/warp.h"
#include "simt/functional/decode/decoded_kernel.h"
#include "simt/functional/machine/machine_registers.h"
#include "simt/functional/machine/machine_rows.h"

namespace warplens::simt {

std::string to_string(const SharedRegister& found, const sass::MachineProgram& machine) {
    const auto place = [&](SiteId site) {
        return fmt::format("{:#x} ({})", site * sass::instruction_bytes, machine.program.sites[site].text);
    };
    return fmt::format("UR{}, which lanes read at {}, {} by lanes that are apart from them, at {}",
                       found.uniform_register, place(found.read),
                       found.in_other_order ? "is written afterwards" : "was written before",
                       place(found.write));
}

SharedRegisters::SharedRegisters(const Kernel& kernel, const sass::MachineProgram& machine)
    : uniform_(static_cast<const DecodedKernel&>(kernel).machine->uniform_registers),
      predicates_(static_cast<const DecodedKernel&>(kernel).machine->predicates),
      registers_(uniform_registers_named(machine)) {
    const auto spread = [&](const std::vector<sass::RegisterSpan>& spans) {
        std::vector<std::uint16_t> all;
        for (const sass::RegisterSpan& span : spans)
            for (std::uint16_t i = 0; i < span.count && span.first + i < registers_; ++i)
                all.push_back(static_cast<std::uint16_t>(span.first + i));
        return all;
    };
    for (const sass::Instruction& instruction : machine.instructions) {
        const sass::RegisterUse use = sass::uniform_use(instruction, machine.sm);
        const u32 guard = instruction.guard + (instruction.guard_uniform ? 8u : 0u);
        uses_.push_back({spread(use.read), spread(use.written), predicates_ + guard * 4,
                         instruction.guard != sass::predicate_true, instruction.guard_negated});
    }
}

u32 SharedRegisters::held(Warp& warp, std::uint16_t index) const {
    return *row<const u32>(warp, uniform_ + index * word_row_bytes);
}

void SharedRegisters::add(std::uint16_t index, SiteId read, SiteId write, bool in_other_order, Warp& warp) {
    const auto [at, is_new] = found_.try_emplace({read, write, index, in_other_order});
    if (is_new) at->second = {index, read, write, in_other_order, warp.block->linear_block(), warp.index, 0};
    ++at->second.times;
}

void SharedRegisters::read(Value& value, std::uint16_t index, Warp& warp, u64 step, SiteId site) {
    bool lost = false;
    for_each_lane({warps_[&warp].executing & value.wrote}, [&](int at) {
        const auto lane = static_cast<std::size_t>(at);
        lost |= value.own[lane] != held(warp, index);
        value.read[lane] = step;
        value.reader[lane] = site;
    });
    if (lost) add(index, site, value.writer, false, warp);
}

namespace {

/// The last step at which the lane ran together with one of `others`; 0: never.
template <class History>
u64 last_together(const History& history, int lane, u32 others) {
    for (std::size_t i = history.size(); i-- > 0;)
        if ((history[i].lanes >> lane & 1) != 0 && (history[i].lanes & others) != 0)
            return i + 1 < history.size() ? history[i + 1].step - 1 : history[i].step;
    return 0;
}

}  // namespace

void SharedRegisters::write(State& state, std::uint16_t index, Warp& warp, u64 step, SiteId site) {
    const u32 now = held(warp, index);
    Value& value = state.values[index];
    for_each_lane({value.current & warp.live & ~warp.active}, [&](int at) {
        const auto lane = static_cast<std::size_t>(at);
        if (value.read[lane] == 0 || value.own[lane] == now) return;
        const u64 together = last_together(state.history, at, state.executing);
        if (value.written <= together && together < value.read[lane])
            add(index, value.reader[lane], site, true, warp);
    });
    value.wrote |= state.executing;
    value.current = state.executing;
    value.written = step;
    value.writer = site;
    value.read.fill(0);
    for_each_lane({state.executing}, [&](int lane) { value.own[static_cast<std::size_t>(lane)] = now; });
}

void SharedRegisters::before(Warp& warp, u64 step, SiteId site) {
    State& state = warps_[&warp];
    if (step == 0) {
        state = {};
        state.values.resize(registers_);
    }
    if (state.history.empty() || state.history.back().lanes != warp.active)
        state.history.push_back({step + 1, warp.active});
    const Use& use = uses_[site];
    state.executing = warp.active;
    if (use.guarded) {
        const u32 holds = predicate(warp, use.guard);
        state.executing &= use.guard_negated ? ~holds : holds;
    }
    for (const std::uint16_t index : use.read) read(state.values[index], index, warp, step + 1, site);
}

void SharedRegisters::after(Warp& warp, u64 step, SiteId site) {
    State& state = warps_[&warp];
    if (state.executing == 0) return;
    for (const std::uint16_t index : uses_[site].written) write(state, index, warp, step + 1, site);
}

std::vector<SharedRegister> SharedRegisters::found() const {
    std::vector<SharedRegister> all;
    for (const auto& [key, each] : found_) all.push_back(each);
    return all;
}

}  // namespace warplens::simt
