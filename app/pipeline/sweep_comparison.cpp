#include "app/pipeline/sweep_comparison.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <utility>

#include "app/pipeline/compared_runs.h"

namespace warplens::app {
namespace {

/// Warp-instructions of one compared run: some seconds. Mostly it is the whole grid.
constexpr double compared_steps = 1e8;

/// The first point, with which the others are compared.
struct First {
    std::mutex mutex;
    std::vector<std::string> at;
    std::optional<ComparedRuns> runs;
};

}  // namespace

DifferenceOfPoint difference_of_points(std::shared_ptr<Pipeline> pipeline, const SweepPlan& plan,
                                       RequestOfPoint request, std::function<bool()> cancelled) {
    const auto first = std::make_shared<First>();
    return [=](const std::vector<std::string>& at, const PointRun& run,
               const analysis::LaunchReport& report) -> std::string {
        const auto asked = request(at);
        const auto unknown = [&](const std::string& other) {
            return fmt::format("Whether {} computes the same as {} is not known.",
                               setting_words(plan, at, "`"), other);
        };
        {
            const std::lock_guard lock(first->mutex);
            if (!first->runs) {
                if (!asked) return unknown("the others");
                const auto loaded = pipeline->load(*asked);
                if (!loaded) return unknown("the others");
                first->at = at;
                first->runs.emplace(*pipeline, *asked, report, loaded->program, compared_steps, cancelled);
                first->runs->run_as_it_is(run.threads);
                return {};
            }
        }
        const std::string other = setting_words(plan, first->at, "`");
        if (!asked) return unknown(other);
        const ResultDifference difference = first->runs->difference(*asked, run.threads);
        if (!difference.known) return unknown(other);
        if (difference.where.empty()) return {};
        return fmt::format("The settings compute different things: {} is not the same at {} as at {}.",
                           difference.where, setting_words(plan, at, "`"), other);
    };
}

}  // namespace warplens::app
