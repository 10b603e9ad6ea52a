#include "trace/agreement.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <vector>

#include "trace/agreement_warp.h"

namespace warplens::trace {

namespace {

/// Warps with identical arrays need no further comparison.
class QuickLook {
  public:
    QuickLook(const Trace& cpu, const Trace& gpu, const AgreementOptions& options, GlobalPlaces& places)
        : cpu_(cpu), gpu_(gpu), options_(options), places_(places) {}

    bool same(const WarpRecord& a, const WarpRecord& b) {
        return equal(cpu_.visits, a.visits_begin, a.visits_end, gpu_.visits, b.visits_begin, b.visits_end) &&
               equal(cpu_.masks, a.masks_begin, a.masks_end, gpu_.masks, b.masks_begin, b.masks_end) &&
               (!options_.addresses || same_accesses(a, b));
    }

  private:
    template <class Record>
    static bool equal(const std::vector<Record>& a, std::uint64_t a_begin, std::uint64_t a_end,
                      const std::vector<Record>& b, std::uint64_t b_begin, std::uint64_t b_end) {
        return std::equal(a.data() + a_begin, a.data() + a_end, b.data() + b_begin, b.data() + b_end);
    }

    bool same_accesses(const WarpRecord& a, const WarpRecord& b) {
        if (a.accesses_end - a.accesses_begin != b.accesses_end - b.accesses_begin) return false;
        for (std::uint64_t i = a.accesses_begin, j = b.accesses_begin; i < a.accesses_end; ++i, ++j)
            if (!same_access(cpu_.accesses[i], gpu_.accesses[j])) return false;
        return true;
    }

    bool same_access(const AccessRecord& a, const AccessRecord& b) {
        if (a.site != b.site || a.mask != b.mask || a.space != b.space) return false;
        if (!a.scattered && !b.scattered) {
            if (a.stride != b.stride) return false;
            if (a.space != Space::global) return a.base == b.base;
            // Everything between the two ends is in the same buffer.
            const int apart = 31 - std::countl_zero(a.mask.bits) - a.mask.lowest();
            const auto reach = static_cast<std::uint64_t>(std::int64_t{a.stride} * apart);
            return same_place(a.base, b.base) && same_place(a.base + reach, b.base + reach);
        }
        const Addresses x = addresses_of(cpu_, a), y = addresses_of(gpu_, b);
        bool same = true;
        for_each_lane(a.mask, [&](int lane) {
            const auto i = static_cast<std::size_t>(lane);
            same = same && (a.space == Space::global ? same_place(x[i], y[i]) : x[i] == y[i]);
        });
        return same;
    }

    bool same_place(std::uint64_t a, std::uint64_t b) { return places_.same(a, b); }

    const Trace &cpu_, &gpu_;
    AgreementOptions options_;
    GlobalPlaces& places_;
};

Divergence missing(const WarpRecord& there, std::string_view where_not) {
    Divergence divergence;
    divergence.kind = Divergence::Kind::missing_warp;
    divergence.block = there.block;
    divergence.warp = there.warp;
    divergence.sentence = fmt::format("block {}, warp {}: the trace of {} has no such warp", there.block,
                                      there.warp, where_not);
    return divergence;
}

std::vector<std::string> reasons(const Program& program, const RunDependence& dependence,
                                 RunDependence::Sources sources) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < dependence.sources.size(); ++i) {
        if ((sources & RunDependence::bit(i)) == 0) continue;
        const RunDependence::Source& source = dependence.sources[i];
        std::string where = words(program, source.site);
        where = where.substr(where.find(" ("));
        std::string reason = (source.is_atomic ? "order of " : "reads ") + source.name + where;
        if (std::ranges::find(all, reason) == all.end()) all.push_back(std::move(reason));
    }
    return all;
}

}  // namespace

Agreement compare(const Trace& cpu, const Trace& gpu, AgreementOptions options) {
    Agreement agreement;
    if (cpu.program.sites.size() != gpu.program.sites.size() ||
        cpu.program.basic_blocks.size() != gpu.program.basic_blocks.size()) {
        agreement.warps_that_differ = std::max<std::uint64_t>({cpu.warps.size(), gpu.warps.size(), 1});
        agreement.first = Divergence{};
        agreement.first->sentence = fmt::format(
            "the two are traces of different programs: the CPU engine's has {} instructions in {} "
            "basic blocks, the GPU's {} in {}",
            cpu.program.sites.size(), cpu.program.basic_blocks.size(), gpu.program.sites.size(),
            gpu.program.basic_blocks.size());
        return agreement;
    }
    GlobalPlaces places(cpu.launch, gpu.launch);
    QuickLook quick(cpu, gpu, options, places);
    WarpComparison careful(cpu, gpu, options, places);
    std::optional<Divergence> first_of_masks;
    RunDependence::Sources depended_on = 0;
    const auto differs = [&](Divergence::Kind kind, const auto& describe) {
        ++agreement.warps_that_differ;
        const bool masks = kind == Divergence::Kind::mask;
        agreement.warps_with_other_masks += masks;
        std::optional<Divergence>& first = masks ? first_of_masks : agreement.first;
        if (!first) first = describe();
    };
    for (std::size_t i = 0, j = 0; i < cpu.warps.size() || j < gpu.warps.size();) {
        const WarpRecord* a = i < cpu.warps.size() ? &cpu.warps[i] : nullptr;
        const WarpRecord* b = j < gpu.warps.size() ? &gpu.warps[j] : nullptr;
        const bool a_first = a && (!b || std::tie(a->block, a->warp) < std::tie(b->block, b->warp));
        const bool b_first = b && (!a || std::tie(b->block, b->warp) < std::tie(a->block, a->warp));
        if (a_first || b_first) {
            differs(Divergence::Kind::missing_warp,
                    [&] { return missing(a_first ? *a : *b, a_first ? "the GPU" : "the CPU engine"); });
            a_first ? ++i : ++j;
            continue;
        }
        ++agreement.warps;
        if (quick.same(*a, *b)) {
            agreement.records += a->visits_end - a->visits_begin + a->masks_end - a->masks_begin;
            if (options.addresses) agreement.records += a->accesses_end - a->accesses_begin;
        } else {
            std::uint64_t records = agreement.records;
            auto kind = careful.compare(*a, *b, {}, records);
            if (kind) {
                // How often a lane polls depends on time.
                records = agreement.records;
                kind = careful.compare(*a, *b, {.waits = true}, records);
                agreement.warps_that_waited += !kind;
            }
            if (kind && *kind != Divergence::Kind::mask && options.run_dependence) {
                records = agreement.records;
                kind = careful.compare(*a, *b, {true, options.run_dependence}, records);
                if (!kind || *kind == Divergence::Kind::mask) {
                    ++agreement.warps_that_depend_on_the_run;
                    depended_on |= careful.left_out();
                }
            }
            agreement.records = records;
            if (kind) differs(*kind, [&] { return careful.divergence(); });
        }
        ++i, ++j;
    }
    if (!agreement.first) agreement.first = std::move(first_of_masks);
    if (depended_on != 0) agreement.reasons = reasons(cpu.program, *options.run_dependence, depended_on);
    return agreement;
}

}  // namespace warplens::trace
