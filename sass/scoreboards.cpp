#include "sass/scoreboards.h"

#include <algorithm>
#include <array>
#include <deque>
#include <tuple>

namespace warplens::sass {

namespace {

constexpr unsigned scoreboard_count = 6;

struct Setter {
    SiteId site = 0;
    bool of_sources = false;

    auto operator<=>(const Setter&) const = default;
};

/// The setters that no wait has cleared yet, by scoreboard, ascending.
using Pending = std::array<std::vector<Setter>, scoreboard_count>;

void set(std::vector<Setter>& pending, Setter setter) {
    const auto at = std::ranges::lower_bound(pending, setter);
    if (at == pending.end() || *at != setter) pending.insert(at, setter);
}

/// DEPBAR.LE SB0, 0x0 names a scoreboard as an operand; with another number it leaves some setters pending.
struct Named {
    unsigned scoreboard = scoreboard_count;  // scoreboard_count: none
    bool clears = false;
};

Named named_scoreboard(const Instruction& instruction) {
    Named named;
    for (const Operand& operand : instruction.operands) {
        if (operand.kind == OperandKind::scoreboard) {
            named.scoreboard = std::min<unsigned>(operand.index, scoreboard_count);
            named.clears = true;
        } else if (operand.kind == OperandKind::immediate && named.clears) {
            named.clears = operand.value == 0;
        }
    }
    return named;
}

/// The effect of one instruction; `found` gets its waits, if given.
void step(const Instruction& instruction, SiteId site, Pending& pending, std::vector<ScoreboardWait>* found) {
    const Control& control = instruction.control;
    const Named named = named_scoreboard(instruction);
    for (unsigned board = 0; board < scoreboard_count; ++board) {
        const bool masked = control.wait_mask >> board & 1;
        if (!masked && named.scoreboard != board) continue;
        if (found)
            for (const Setter& setter : pending[board])
                found->push_back({setter.site, site, static_cast<std::uint8_t>(board), setter.of_sources});
        if (masked || named.clears) pending[board].clear();
    }
    if (control.read_scoreboard < scoreboard_count) set(pending[control.read_scoreboard], {site, true});
    if (control.write_scoreboard < scoreboard_count) set(pending[control.write_scoreboard], {site, false});
}

/// True when `into` grew.
bool merge(const Pending& from, Pending& into) {
    bool grew = false;
    for (unsigned board = 0; board < scoreboard_count; ++board)
        for (const Setter& setter : from[board]) {
            const std::size_t before = into[board].size();
            set(into[board], setter);
            grew = grew || into[board].size() != before;
        }
    return grew;
}

}  // namespace

std::vector<ScoreboardWait> scoreboard_waits(const MachineProgram& program) {
    std::vector<Pending> at_begin(program.blocks.size());
    std::vector<bool> queued(program.blocks.size(), true);
    std::deque<std::uint32_t> work;
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b) work.push_back(b);
    const auto run = [&](std::uint32_t b, std::vector<ScoreboardWait>* found) {
        Pending pending = at_begin[b];
        const MachineBlock& block = program.blocks[b];
        for (SiteId site = block.first; site < block.first + block.count; ++site)
            step(program.instructions[site], site, pending, found);
        return pending;
    };
    while (!work.empty()) {
        const std::uint32_t b = work.front();
        work.pop_front();
        queued[b] = false;
        const Pending end = run(b, nullptr);
        for (const std::uint32_t next : program.blocks[b].successors)
            if (merge(end, at_begin[next]) && !queued[next]) {
                queued[next] = true;
                work.push_back(next);
            }
    }
    std::vector<ScoreboardWait> found;
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b) run(b, &found);
    std::ranges::sort(found, {}, [](const ScoreboardWait& wait) {
        return std::tuple(wait.waiter, wait.scoreboard, wait.setter, wait.of_sources);
    });
    return found;
}

}  // namespace warplens::sass
