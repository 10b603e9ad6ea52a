#include "trace/replay.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "trace/exchange.h"
#include "trace/query.h"

namespace warplens::trace {

namespace {

class WarpReplay {
  public:
    WarpReplay(const Trace& trace, const RecordedSites& sites, const WarpRecord& warp, BlockObserver& to)
        : trace_(trace),
          sites_(sites),
          warp_(warp),
          to_(to),
          records_(trace, warp),
          visit_(warp.visits_begin) {}

    bool done() const { return visit_ == warp_.visits_end; }
    void release() { waiting_ = LaneMask::none(); }

    /// Continues until lanes that wait at a barrier would have to move.
    void run() {
        while (!done() && (trace_.visits[visit_].active & waiting_).empty()) report(trace_.visits[visit_++]);
    }

  private:
    void report(const Visit& visit) {
        const int warp = static_cast<int>(warp_.warp);
        to_.visit(warp, visit.basic_block, visit.active);
        LaneMask last_executed = visit.active;
        const BasicBlock& block = trace_.program.basic_blocks[visit.basic_block];
        const SiteId last = block.first_site + block.site_count - 1;
        for (const RecordedSites::Entry& entry : sites_.of(visit.basic_block)) {
            const std::uint64_t mask_before = records_.mask();
            const SiteRecords records = records_.next(entry, visit.active);
            if (records_.mask() != mask_before) {
                if (entry.branch) to_.branch(warp, entry.site, visit.active, records.taken);
                else to_.guard(warp, entry.site, records.executed);
            }
            for (std::uint32_t i = 0; i < records.exchange_count; ++i) {
                const ExchangeRecord& record = trace_.exchanges[records.exchange + i];
                to_.exchange(warp, record.site, record.mask, unpack_exchange(record));
            }
            for (std::uint32_t i = 0; i < records.access_count; ++i) {
                const AccessRecord& record = trace_.accesses[records.access + i];
                const Addresses addresses = addresses_of(trace_, record);
                to_.access(warp, {record.site, record.mask, record.space, operation_of(trace_, record),
                                  trace_.program.sites[record.site].bytes_per_lane, &addresses});
            }
            if (entry.site == last) last_executed = records.executed;
        }
        if (block.site_count == 0 || last_executed.empty()) return;
        const Site& site = trace_.program.sites[last];
        if (site.kind != SiteKind::barrier || site.opcode.starts_with("mbarrier")) return;
        to_.barrier(warp, last, last_executed);
        const bool goes_on = site.opcode.find(".arrive") != std::string::npos;
        if (!goes_on) waiting_ = waiting_ | last_executed;
    }

    const Trace& trace_;
    const RecordedSites& sites_;
    const WarpRecord& warp_;
    BlockObserver& to_;
    RecordCursor records_;
    std::uint64_t visit_;
    LaneMask waiting_;
};

void replay_block(const Trace& trace, const RecordedSites& sites, std::size_t first, std::size_t last,
                  BlockObserver& to) {
    std::vector<WarpReplay> warps;
    warps.reserve(last - first);
    for (std::size_t i = first; i < last; ++i) warps.emplace_back(trace, sites, trace.warps[i], to);
    for (;;) {
        bool all_done = true;
        for (WarpReplay& warp : warps) {
            warp.run();
            all_done = all_done && warp.done();
        }
        if (all_done) return;
        to.barrier_release();
        for (WarpReplay& warp : warps) warp.release();
    }
}

}  // namespace

void replay(const Trace& trace, Observer& observer) {
    const RecordedSites sites(trace.program);
    for (std::size_t first = 0; first < trace.warps.size();) {
        const std::uint64_t block = trace.warps[first].block;
        std::size_t last = first;
        while (last < trace.warps.size() && trace.warps[last].block == block) ++last;
        auto to = observer.begin_block(block);
        if (to) replay_block(trace, sites, first, last, *to);
        observer.finish(block, std::move(to));
        first = last;
    }
}

}  // namespace warplens::trace
