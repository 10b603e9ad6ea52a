// SmallTrace: a Trace of one warp or a few, reported event by event, for tests of code that reads one. Its
// program consists of the sites that a test names, one basic block each unless the test says otherwise.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/analysis/request.h"
#include "trace/recorder.h"

namespace warplens::analysis {

class SmallTrace {
  public:
    /// One basic block per site.
    explicit SmallTrace(std::vector<Site> sites) {
        for (Site& site : sites) {
            site.basic_block = static_cast<BasicBlockId>(program.basic_blocks.size());
            program.basic_blocks.push_back({static_cast<SiteId>(program.sites.size()), 1});
            program.sites.push_back(std::move(site));
        }
    }

    static Site memory_site(Space space, Operation operation, std::uint32_t bytes, std::uint32_t line) {
        Site site;
        site.opcode =
            std::string(operation == Operation::store ? "st." : "ld.") + std::string(to_string(space));
        site.kind = SiteKind::memory;
        site.space = space;
        site.operation = operation;
        site.bytes_per_lane = bytes;
        site.line = line;
        site.ptx_line = line;
        return site;
    }
    static Site branch_site(std::uint32_t line) {
        Site site;
        site.opcode = "bra";
        site.kind = SiteKind::branch;
        site.guarded = true;
        site.line = line;
        return site;
    }
    static Site guarded_site(std::uint32_t line) {
        Site site = plain_site(line);
        site.guarded = true;
        return site;
    }
    static Site plain_site(std::uint32_t line) {
        Site site;
        site.opcode = "add.s32";
        site.line = line;
        return site;
    }

    void visit(int warp, BasicBlockId block, LaneMask active) {
        events_.push_back({warp, block, active, {}, {}, false});
    }
    void branch(int warp, BasicBlockId block, LaneMask active, LaneMask taken) {
        events_.push_back({warp, block, active, taken, {}, false});
    }
    /// Of a guarded site: `executed` of the active lanes have its predicate on.
    void guard(int warp, BasicBlockId block, LaneMask active, LaneMask executed) {
        events_.push_back({warp, block, active, executed, {}, false});
    }
    void access(int warp, BasicBlockId block, const Request& request) {
        events_.push_back({warp, block, request.mask, {}, request, true});
    }

    void report_to(trace::Observer& observer) const {
        auto to = observer.begin_block(0);
        for (const Event& event : events_) {
            to->visit(event.warp, event.block, event.active);
            const Site& site = program.sites[event.block];
            if (site.kind == SiteKind::branch) to->branch(event.warp, event.block, event.active, event.taken);
            else if (site.guarded) to->guard(event.warp, event.block, event.taken);
            if (!event.has_access) continue;
            trace::Access access = event.request.access();
            access.site = event.block;
            access.space = site.space;
            access.operation = site.operation;
            access.bytes_per_lane = site.bytes_per_lane;
            to->access(event.warp, access);
        }
        observer.finish(0, std::move(to));
    }
    trace::Trace record() const {
        trace::Launch with_geometry = launch;
        int warps = 1;
        for (const Event& event : events_) warps = std::max(warps, event.warp + 1);
        with_geometry.geometry.block = {static_cast<std::uint32_t>(warps * warp_size), 1, 1};
        trace::Recorder recorder(with_geometry, program);
        report_to(recorder);
        return recorder.take();
    }

    Program program;
    trace::Launch launch;

  private:
    struct Event {
        int warp;
        BasicBlockId block;
        LaneMask active, taken;
        Request request;
        bool has_access;
    };
    std::vector<Event> events_;
};

}  // namespace warplens::analysis
