// SharedRegisters: finds where lanes of a warp that are apart need one uniform register for two values. A
// warp has one copy of each, so that the order in which its lanes run decides which value is read: a mistake
// of the assembler, which takes the lanes for together. Give it to run() as RunOptions::watch, with machine
// code. It sees the paths that were executed; two values that are equal are none.
#pragma once

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sass/program.h"
#include "simt/functional/block/step_watch.h"
#include "simt/functional/engine.h"

namespace warplens::simt {

/// The register that `read` needs is written at `write` by other lanes.
struct SharedRegister {
    std::uint16_t uniform_register = 0;
    SiteId read = 0, write = 0;
    /// false: in the engine's order the lanes read what the others wrote. true: they read it before, and
    /// would not if the others had gone first.
    bool in_other_order = false;
    u64 block = 0;  // linear, the first in which it was seen
    u32 warp = 0;
    u64 times = 0;  // warps' instructions
};

/// "UR5, which lanes read at 0x3f90 (ISETP…), was written before …": a clause.
std::string to_string(const SharedRegister& found, const sass::MachineProgram& machine);

class SharedRegisters final : public StepWatch {
  public:
    /// `kernel` was loaded from `machine` (sass::number_machine_sites); both outlive this.
    SharedRegisters(const Kernel& kernel, const sass::MachineProgram& machine);

    bool wants(u64) override { return true; }
    void before(Warp& warp, u64 step, SiteId site) override;
    void after(Warp& warp, u64 step, SiteId site) override;

    /// One per register and pair of sites, by site of the read.
    std::vector<SharedRegister> found() const;

  private:
    /// One uniform register of one warp.
    struct Value {
        u32 wrote = 0;    // lanes that have ever written it
        u32 current = 0;  // lanes that took part in the last write
        u64 written = 0;  // the step of the last write
        SiteId writer = 0;
        std::array<u32, warp_size> own{};  // what each lane wrote last
        /// By each lane since the last write, 0: none.
        std::array<u64, warp_size> read{};
        std::array<SiteId, warp_size> reader{};
    };
    /// Lanes that ran together from a step on.
    struct Together {
        u64 step = 0;
        u32 lanes = 0;
    };
    struct State {
        u32 executing = 0;  // lanes of the step that its guard lets through
        std::vector<Value> values;
        std::vector<Together> history;
    };
    struct Use {
        std::vector<std::uint16_t> read, written;
        Row guard = 0;  // with `guarded`
        bool guarded = false, guard_negated = false;
    };

    u32 held(Warp& warp, std::uint16_t index) const;
    void read(Value& value, std::uint16_t index, Warp& warp, u64 step, SiteId site);
    void write(State& state, std::uint16_t index, Warp& warp, u64 step, SiteId site);
    void add(std::uint16_t index, SiteId read, SiteId write, bool in_other_order, Warp& warp);

    Row uniform_, predicates_;  // of UR0 and P0
    std::vector<Use> uses_;     // one per site
    std::size_t registers_ = 0;
    std::map<const Warp*, State> warps_;  // blocks may run in turns
    std::map<std::tuple<SiteId, SiteId, std::uint16_t, bool>, SharedRegister> found_;
};

}  // namespace warplens::simt
