#include "simt/timing/busiest_sm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace warplens::simt {
namespace {

/// Below this share of the time, the choice of the SM is not worth a second look.
constexpr double negligible = 0.02;

/// Times this close to each other are the same, whatever the order of their sums.
constexpr double ticks = 64;

enum class Pace : std::uint8_t { per_warp, shared };

double paced_work(const BlockWork& block, Pace pace) {
    return double(std::max<std::uint64_t>(pace == Pace::per_warp ? block.longest_warp : block.steps, 1));
}

/// One SM while blocks run on it. `progress` is the work done for a block that was there from the beginning.
class EstimatedSm {
  public:
    explicit EstimatedSm(Pace pace) : pace_(pace) {}

    void begin(const BlockWork& block, double now) {
        advance(now);
        ends_.push(progress_ + paced_work(block, pace_));
        blocks.push_back(block.block);
    }
    void end_one(double now) {
        advance(now);
        ends_.pop();
    }
    bool busy() const { return !ends_.empty(); }
    double next_end() const { return now_ + std::max(ends_.top() - progress_, 0.0) / rate(); }

    BlocksOfSm blocks;

  private:
    double rate() const { return pace_ == Pace::shared ? 1 / double(ends_.size()) : 1; }
    void advance(double now) {
        if (busy()) progress_ += (now - now_) * rate();
        now_ = now;
    }

    Pace pace_;
    double now_ = 0, progress_ = 0;
    std::priority_queue<double, std::vector<double>, std::greater<>> ends_;  // progress at which each ends
};

struct LastSm {
    double end = 0;
    BlocksOfSm blocks;
};

/// The SM that ends last; of several, the first.
LastSm last_sm(const std::vector<BlockWork>& grid, std::size_t sm_count, std::size_t resident, Pace pace) {
    std::vector<EstimatedSm> sms(std::min(sm_count, grid.size()), EstimatedSm(pace));
    std::size_t next = 0;
    for (std::size_t round = 0; round < resident; ++round)
        for (std::size_t sm = 0; sm < sms.size() && next < grid.size(); ++sm) sms[sm].begin(grid[next++], 0);

    // Of SMs where a block ends at the same time, the one that has received fewest is served first.
    using End = std::tuple<double, std::size_t, std::size_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    const auto await = [&](std::size_t sm) {
        ends.emplace(std::round(sms[sm].next_end() * ticks) / ticks, sms[sm].blocks.size(), sm);
    };
    for (std::size_t sm = 0; sm < sms.size(); ++sm) await(sm);
    LastSm last;
    std::size_t chosen = 0;
    while (!ends.empty()) {
        const auto [now, received, sm] = ends.top();
        ends.pop();
        sms[sm].end_one(now);
        if (next < grid.size()) sms[sm].begin(grid[next++], now);
        if (sms[sm].busy()) {
            await(sm);
        } else if (now > last.end) {
            last.end = now;
            chosen = sm;
        }
    }
    last.blocks = std::move(sms[chosen].blocks);
    return last;
}

/// When the first SM ends if the blocks go round robin to the end.
double end_of_first_sm(const std::vector<BlockWork>& grid, std::size_t sm_count, std::size_t resident,
                       Pace pace) {
    std::vector<BlockWork> own;
    for (std::size_t i = 0; i < grid.size(); i += sm_count) own.push_back(grid[i]);
    return last_sm(own, 1, resident, pace).end;
}

}  // namespace

std::vector<BlocksOfSm> busiest_sms(const std::vector<BlockWork>& grid, int sm_count, int resident_blocks) {
    std::vector<BlocksOfSm> chosen;
    if (grid.empty()) return chosen;
    const auto sms = static_cast<std::size_t>(std::max(sm_count, 1));
    const auto resident = static_cast<std::size_t>(std::max(resident_blocks, 1));
    bool differs = false;
    for (const Pace pace : {Pace::per_warp, Pace::shared}) {
        LastSm last = last_sm(grid, sms, resident, pace);
        const double first = end_of_first_sm(grid, sms, resident, pace);
        differs |= std::abs(last.end - first) > negligible * first;
        if (std::ranges::find(chosen, last.blocks) == chosen.end()) chosen.push_back(std::move(last.blocks));
    }
    if (!differs) chosen.clear();
    return chosen;
}

}  // namespace warplens::simt
