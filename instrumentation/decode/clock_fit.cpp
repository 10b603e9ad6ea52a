#include "instrumentation/decode/clock_fit.h"

#include <algorithm>
#include <limits>
#include <map>

namespace warplens::instrumentation {

namespace {

// A slope over fewer timer steps says the rate to worse than half a percent.
constexpr double least_steps_for_rate = 256;
// How far a clock may lie behind that of a warp which read the same or an earlier timer.
constexpr std::uint32_t reorder_cycles = 1u << 24;
// Cycles must fit below trace::no_time.
constexpr std::int64_t last_cycle = 0xfffffffe;

/// The cycles between two readings that lie near each other or in order.
std::int64_t cycles_between(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t forward = to - from;
    if (forward > ~reorder_cycles) return -static_cast<std::int64_t>(from - to);
    return forward;
}

struct Pair {
    std::size_t warp = 0;
    std::uint64_t timer = 0;
    std::int64_t cycle = 0;  // of the warp's end
};

struct Sm {
    std::vector<std::size_t> warps;
    std::vector<Pair> pairs;  // ascending by timer
    std::int64_t zero = 0;
};

class Fitter {
  public:
    explicit Fitter(std::span<const WarpClock> warps)
        : warps_(warps), starts_(warps.size()), end_of_(warps.size()) {
        for (std::size_t i = 0; i < warps.size(); ++i) {
            sms_[warps[i].sm].warps.push_back(i);
            if (warps[i].timer != 0) sms_[warps[i].sm].pairs.push_back({i, warps[i].timer, 0});
        }
    }

    ClockFit fit() {
        find_step();
        for (auto& entry : sms_) place(entry.second);
        find_rate();
        for (const auto& entry : sms_) add_sm(entry.first, entry.second);
        double first = std::numeric_limits<double>::infinity();
        for (const trace::MeasuredSm& sm : fit_.sms) first = std::min(first, sm.offset_ns);
        for (trace::MeasuredSm& sm : fit_.sms) sm.offset_ns -= first;
        fit_.begins.resize(warps_.size());
        for (std::size_t i = 0; i < warps_.size(); ++i) {
            const std::int64_t begin = starts_[i] - sms_[warps_[i].sm].zero;
            fit_.begins[i] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(begin, 0, last_cycle));
        }
        return std::move(fit_);
    }

  private:
    void find_step() {
        std::vector<std::uint64_t> timers;
        for (const WarpClock& warp : warps_)
            if (warp.timer != 0) timers.push_back(warp.timer);
        std::sort(timers.begin(), timers.end());
        std::uint64_t step = 0;
        for (std::size_t i = 1; i < timers.size(); ++i) {
            const std::uint64_t difference = timers[i] - timers[i - 1];
            if (difference != 0 && (step == 0 || difference < step)) step = difference;
        }
        fit_.timer_step_ns = static_cast<double>(step);
        if (!timers.empty()) first_timer_ = timers.front();
    }

    /// Counts the SM's clock on beyond 32 bits along the timer, and places the other warps beside the one of
    /// their block that read it.
    void place(Sm& sm) {
        std::sort(sm.pairs.begin(), sm.pairs.end(),
                  [](const Pair& a, const Pair& b) { return a.timer < b.timer; });
        for (std::size_t i = 1; i < sm.pairs.size(); ++i)
            sm.pairs[i].cycle = sm.pairs[i - 1].cycle + cycles_between(warps_[sm.pairs[i - 1].warp].end,
                                                                       warps_[sm.pairs[i].warp].end);
        for (const Pair& pair : sm.pairs) end_of_[pair.warp] = pair.cycle;
        const std::size_t none = warps_.size();
        std::size_t reference = sm.pairs.empty() ? none : sm.pairs.front().warp;
        for (std::size_t i = 0; i < sm.warps.size();) {
            std::size_t last = i;
            bool found = false;
            while (last < sm.warps.size() && warps_[sm.warps[last]].block == warps_[sm.warps[i]].block) {
                const std::size_t warp = sm.warps[last++];
                if (!found && warps_[warp].timer != 0) reference = warp;
                found |= warps_[warp].timer != 0;
            }
            for (; i < last; ++i) {
                const std::size_t warp = sm.warps[i];
                const WarpClock& clock = warps_[warp];
                if (reference == none) reference = warp;
                if (clock.timer != 0) {
                    starts_[warp] = end_of_[warp] - std::int64_t{clock.end - clock.start};
                } else {
                    const auto ahead = static_cast<std::int32_t>(clock.start - warps_[reference].end);
                    starts_[warp] = end_of_[reference] + ahead;
                }
            }
        }
        sm.zero = std::numeric_limits<std::int64_t>::max();
        for (const std::size_t warp : sm.warps) sm.zero = std::min(sm.zero, starts_[warp]);
    }

    void find_rate() {
        std::vector<double> rates;
        for (const auto& entry : sms_) {
            const std::vector<Pair>& pairs = entry.second.pairs;
            if (pairs.size() < 2) continue;
            const double ns = static_cast<double>(pairs.back().timer - pairs.front().timer);
            const double cycles = static_cast<double>(pairs.back().cycle - pairs.front().cycle);
            if (ns < least_steps_for_rate * fit_.timer_step_ns || ns <= 0 || cycles <= 0) continue;
            rates.push_back(cycles / ns * 1e9);
        }
        if (rates.empty()) return;
        const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
        std::nth_element(rates.begin(), middle, rates.end());
        fit_.clock_hz = *middle;
    }

    /// A timer shows the last of its steps, so that each pair bounds the offset from both sides.
    void add_sm(std::uint16_t number, const Sm& sm) {
        trace::MeasuredSm measured;
        measured.sm = number;
        double low = -std::numeric_limits<double>::infinity(), high = -low;
        for (const Pair& pair : sm.pairs) {
            const double ns_a_cycle = fit_.clock_hz > 0 ? 1e9 / fit_.clock_hz : 0;
            const double since_zero = static_cast<double>(pair.cycle - sm.zero) * ns_a_cycle;
            const double at = static_cast<double>(pair.timer - first_timer_) - since_zero;
            low = std::max(low, at);
            high = std::min(high, at + fit_.timer_step_ns);
        }
        if (!sm.pairs.empty()) measured.offset_ns = (low + high) / 2;
        fit_.sms.push_back(measured);
    }

    std::span<const WarpClock> warps_;
    std::vector<std::int64_t> starts_;
    std::vector<std::int64_t> end_of_;  // of warps with a timer
    std::map<std::uint16_t, Sm> sms_;
    std::uint64_t first_timer_ = 0;
    ClockFit fit_;
};

}  // namespace

ClockFit fit_clocks(std::span<const WarpClock> warps) { return Fitter(warps).fit(); }

}  // namespace warplens::instrumentation
