#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/button.h"
#include "app/ui/stepper.h"
#include "app/views/whatif/parts.h"

namespace warplens::app {
namespace {

constexpr std::array latency_factors{0.25, 0.5, 1.0, 2.0, 4.0};
constexpr std::array scheduler_counts{1, 2, 4, 8, 16};
constexpr std::array sm_factors{0.25, 0.5, 1.0, 2.0, 4.0};
constexpr std::array policies{SchedulerPolicy::oldest_block, SchedulerPolicy::greedy_then_oldest,
                              SchedulerPolicy::oldest_first, SchedulerPolicy::round_robin};

/// Blocks an SM holds with the limits that are lifted left out.
int blocks_allowed(const analysis::Occupancy& fit, const TimingOptions& options) {
    using analysis::Limiter;
    int fewest = 1 << 30;
    const auto meet = [&](Limiter limiter, bool lifted) {
        if (!lifted) fewest = std::min(fewest, fit.blocks_allowed[static_cast<std::size_t>(limiter)]);
    };
    meet(Limiter::warps, false);
    meet(Limiter::blocks, options.ignore_block_limit);
    meet(Limiter::registers, options.ignore_register_limit);
    meet(Limiter::shared_memory, options.ignore_shared_limit);
    return std::max(fewest, 1);
}

/// The element after (or before) the one nearest to `value`; `value` itself at the end of the range.
template <class T, std::size_t n>
T stepped(const std::array<T, n>& values, T value, int steps) {
    const auto nearest =
        std::ranges::min_element(values, [&](T a, T b) { return std::abs(a - value) < std::abs(b - value); });
    const auto at = (nearest - values.begin()) + steps;
    return values[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, n - 1))];
}

/// Lays controls out from left to right, in as many rows as they need.
class KnobRow {
  public:
    explicit KnobRow(const Theme& theme)
        : theme_(theme),
          at_(ImGui::GetCursorScreenPos()),
          left_(at_.x),
          right_(at_.x + ImGui::GetContentRegionAvail().x) {}
    void place(float width) {
        const float gap = std::round(16 * theme_.fonts.scale);
        if (at_.x > left_ && at_.x + width > right_)
            at_ = {left_, at_.y + control_height(theme_) + std::round(8 * theme_.fonts.scale)};
        ImGui::SetCursorScreenPos(at_);
        at_.x += width + gap;
    }
    void end() {
        ImGui::SetCursorScreenPos({left_, at_.y});
        ImGui::Dummy({1, control_height(theme_)});
    }

  private:
    const Theme& theme_;
    ImVec2 at_;
    float left_, right_;
};

class Knobs {
  public:
    Knobs(const Theme& theme, const Scene& scene, const TimingOptions& options)
        : theme_(theme), scene_(scene), options_(options), turned_(options), row_(theme) {}

    std::optional<TimingOptions> draw() {
        warps();
        schedulers();
        policy();
        latency();
        sms();
        flag(&TimingOptions::no_bank_conflicts, "whatif conflicts", "no bank conflicts",
             "Every shared-memory request takes its ideal wavefronts.");
        flag(&TimingOptions::perfect_coalescing, "whatif coalescing", "perfect coalescing",
             "Every global request moves its ideal sectors.");
        flag(&TimingOptions::full_warps, "whatif divergence", "full warps",
             "Lanes that take the same path share a warp, so that its other lanes do not wait for them.");
        flag(&TimingOptions::data_in_l2, "whatif l2", "data in L2",
             "An earlier launch left the data in L2, as far as it fits, and the code in the instruction "
             "cache.");
        flag(&TimingOptions::ignore_register_limit, "whatif registers", "no register limit",
             "Ignore the register limit of occupancy.");
        flag(&TimingOptions::ignore_shared_limit, "whatif shared", "no shared-memory limit",
             "Ignore the shared-memory limit of occupancy.");
        flag(&TimingOptions::ignore_block_limit, "whatif blocks", "no block limit",
             "Ignore the limit of blocks per SM.");
        row_.end();
        if (turned_ == options_) return std::nullopt;
        return turned_;
    }

  private:
    int step(const StepperLook& look) {
        row_.place(stepper_width(theme_, look));
        return stepper(theme_, look);
    }

    void warps() {
        const analysis::Occupancy& fit = scene_.report->occupancy;
        const int block = fit.blocks_per_sm > 0 ? fit.warps_per_sm / fit.blocks_per_sm : 1;
        const int most = blocks_allowed(fit, options_);
        const int set = options_.max_resident_warps / std::max(block, 1);
        const int blocks = options_.max_resident_warps > 0 ? std::clamp(set, 1, most) : most;
        const std::string value = std::to_string(blocks * block);
        StepperLook look{"whatif warps", "maximum warps", value,         "00", "",
                         blocks > 1,     blocks < most,   blocks != most};
        const std::string help = fmt::format(
            "Maximum warps per SM, in complete blocks of {}; {} by occupancy.", block, most * block);
        look.help = help;
        if (const int steps = step(look)) {
            const int next = std::clamp(blocks + steps, 1, most);
            turned_.max_resident_warps = next == most ? 0 : next * block;
        }
    }

    void schedulers() {
        const int usual = scene_.gpu->schedulers_per_sm;
        const int now = options_.schedulers > 0 ? options_.schedulers : usual;
        const std::string value = std::to_string(now);
        const int steps = step({"whatif schedulers", "schedulers", value, "00",
                                "Warp schedulers per SM, each with its own pipes.",
                                now > scheduler_counts.front(), now < scheduler_counts.back(), now != usual});
        if (steps == 0) return;
        const int next = stepped(scheduler_counts, now, steps);
        turned_.schedulers = next == usual ? 0 : next;
    }

    void policy() {
        const auto at = static_cast<int>(options_.policy);
        constexpr int last = static_cast<int>(policies.size()) - 1;
        const int steps =
            step({"whatif policy", "policy", to_string(options_.policy), to_string(policies.front()),
                  "Which eligible warp a scheduler selects.", at > 0, at < last, at != 0});
        turned_.policy = policies[static_cast<std::size_t>(std::clamp(at + steps, 0, last))];
    }

    void latency() {
        const double now = options_.dram_latency_factor;
        const std::string value = fmt::format("× {:g}", now);
        const int steps = step({"whatif latency", "DRAM latency", value, "× 0.25",
                                "Factor for the round trip from L2 to DRAM.", now > latency_factors.front(),
                                now < latency_factors.back(), now != 1});
        if (steps != 0) turned_.dram_latency_factor = stepped(latency_factors, now, steps);
    }

    void sms() {
        const int usual = scene_.gpu->sm_count;
        if (usual == 0) return;
        const double factor = options_.sm_count > 0 ? static_cast<double>(options_.sm_count) / usual : 1;
        const std::string value = std::to_string(options_.sm_count > 0 ? options_.sm_count : usual);
        const int steps = step({"whatif sms", "SMs", value, "0000",
                                "Streaming multiprocessors of the GPU; L2 and DRAM are unchanged.",
                                factor > sm_factors.front() + 0.01, factor < sm_factors.back(), factor != 1});
        if (steps == 0) return;
        const double next = stepped(sm_factors, factor, steps);
        turned_.sm_count = next == 1 ? 0 : std::max(1, static_cast<int>(std::lround(usual * next)));
    }

    void flag(bool TimingOptions::*which, const char* name, const char* words, const char* help) {
        row_.place(switch_width(theme_, words));
        if (switch_button(theme_, name, words, help, options_.*which)) turned_.*which = !(options_.*which);
    }

    const Theme& theme_;
    const Scene& scene_;
    const TimingOptions& options_;
    TimingOptions turned_;
    KnobRow row_;
};

}  // namespace

std::optional<TimingOptions> what_if_knobs(const Theme& theme, const Scene& scene,
                                           const TimingOptions& options) {
    return Knobs(theme, scene, options).draw();
}

}  // namespace warplens::app
