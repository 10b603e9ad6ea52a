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

std::string_view word_of(RunDependence::Kind kind) {
    switch (kind) {
        case RunDependence::Kind::reads:
            return "reads ";
        case RunDependence::Kind::order:
            return "order of ";
        case RunDependence::Kind::rounding:
            break;
    }
    return "rounding of ";
}

std::vector<std::string> reasons(const Program& program, const RunDependence& dependence,
                                 RunDependence::Sources sources) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < dependence.sources.size(); ++i) {
        if ((sources & RunDependence::bit(i)) == 0) continue;
        const RunDependence::Source& source = dependence.sources[i];
        std::string where = words(program, source.site);
        where = where.substr(where.find(" ("));
        std::string reason = std::string(word_of(source.kind)) + source.name + where;
        if (std::ranges::find(all, reason) == all.end()) all.push_back(std::move(reason));
    }
    return all;
}

bool are_of_one_program(const Trace& cpu, const Trace& gpu) {
    return cpu.program.sites.size() == gpu.program.sites.size() &&
           cpu.program.basic_blocks.size() == gpu.program.basic_blocks.size();
}

Agreement of_different_programs(const Trace& cpu, const Trace& gpu) {
    Agreement agreement;
    agreement.warps_that_differ = std::max<std::uint64_t>({cpu.warps.size(), gpu.warps.size(), 1});
    agreement.first = Divergence{};
    agreement.first->sentence = fmt::format(
        "the two are traces of different programs: the CPU engine's has {} instructions in {} "
        "basic blocks, the GPU's {} in {}",
        cpu.program.sites.size(), cpu.program.basic_blocks.size(), gpu.program.sites.size(),
        gpu.program.basic_blocks.size());
    return agreement;
}

/// Goes through the warps of both traces, which are in the same order.
class TraceComparison {
  public:
    TraceComparison(const Trace& cpu, const Trace& gpu, const AgreementOptions& options)
        : cpu_(cpu),
          gpu_(gpu),
          options_(options),
          places_(cpu.launch, gpu.launch),
          quick_(cpu, gpu, options, places_),
          careful_(cpu, gpu, options, places_) {}

    Agreement run() {
        for (std::size_t i = 0, j = 0; i < cpu_.warps.size() || j < gpu_.warps.size();) {
            const WarpRecord* a = i < cpu_.warps.size() ? &cpu_.warps[i] : nullptr;
            const WarpRecord* b = j < gpu_.warps.size() ? &gpu_.warps[j] : nullptr;
            const auto place = [](const WarpRecord& warp) { return std::tie(warp.block, warp.warp); };
            if (a && (!b || place(*a) < place(*b))) {
                differs(Divergence::Kind::missing_warp, [&] { return missing(*a, "the GPU"); });
                ++i;
            } else if (b && (!a || place(*b) < place(*a))) {
                differs(Divergence::Kind::missing_warp, [&] { return missing(*b, "the CPU engine"); });
                ++j;
            } else {
                compare(*a, *b);
                ++i, ++j;
            }
        }
        if (!agreement_.first) agreement_.first = std::move(first_of_masks_);
        if (depended_on_ != 0)
            agreement_.reasons = reasons(cpu_.program, *options_.run_dependence, depended_on_);
        return std::move(agreement_);
    }

  private:
    template <class Describe>
    void differs(Divergence::Kind kind, const Describe& describe) {
        ++agreement_.warps_that_differ;
        const bool masks = kind == Divergence::Kind::mask;
        agreement_.warps_with_other_masks += masks;
        std::optional<Divergence>& first = masks ? first_of_masks_ : agreement_.first;
        if (!first) first = describe();
    }

    void compare(const WarpRecord& a, const WarpRecord& b) {
        ++agreement_.warps;
        if (quick_.same(a, b)) {
            agreement_.records += a.visits_end - a.visits_begin + a.masks_end - a.masks_begin;
            if (options_.addresses) agreement_.records += a.accesses_end - a.accesses_begin;
            return;
        }
        const std::uint64_t before = agreement_.records;
        std::uint64_t records = before;
        auto kind = careful_.compare(a, b, {}, records);
        if (kind) {
            // How often a lane polls depends on time.
            records = before;
            kind = careful_.compare(a, b, {.waits = true}, records);
            agreement_.warps_that_waited += !kind;
        }
        if (kind && *kind != Divergence::Kind::mask && options_.run_dependence) {
            records = before;
            kind = careful_.compare(a, b, {true, options_.run_dependence}, records);
            if (!kind || *kind == Divergence::Kind::mask) {
                ++agreement_.warps_that_depend_on_the_run;
                depended_on_ |= careful_.left_out();
            }
        }
        agreement_.records = records;
        if (kind) differs(*kind, [&] { return careful_.divergence(); });
    }

    const Trace &cpu_, &gpu_;
    const AgreementOptions& options_;
    GlobalPlaces places_;
    QuickLook quick_;
    WarpComparison careful_;
    Agreement agreement_;
    std::optional<Divergence> first_of_masks_;
    RunDependence::Sources depended_on_ = 0;
};

}  // namespace

Agreement compare(const Trace& cpu, const Trace& gpu, AgreementOptions options) {
    if (!are_of_one_program(cpu, gpu)) return of_different_programs(cpu, gpu);
    return TraceComparison(cpu, gpu, options).run();
}

}  // namespace warplens::trace
