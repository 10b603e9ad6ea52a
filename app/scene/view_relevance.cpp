#include "app/scene/view_relevance.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/warps/combine_tree.h"
#include "app/scene/request_index.h"
#include "app/scene/scene_notes.h"
#include "core/matrix_fragment.h"

namespace warplens::app {
namespace {

bool is_collective(const Site& site) {
    static constexpr std::array<std::string_view, 4> opcodes{"shfl.", "vote.", "match.", "redux."};
    return std::ranges::any_of(opcodes,
                               [&](std::string_view begin) { return site.opcode.starts_with(begin); });
}

template <class Predicate>
bool any_site(const Scene& scene, Predicate&& is_one) {
    return std::ranges::any_of(scene.trace->program.sites, is_one);
}

/// What a view has to show, in sectors, wavefronts, rounds or steps.
struct Weight {
    std::uint64_t excess = 0;  // beyond the ideal
    std::uint64_t cost = 0;    // with the ideal
};

/// Steps that full warps would have saved. The last block's threads without an element are no reason to look
/// at lanes: few inactive lanes count as none.
std::uint64_t steps_lost(const analysis::LaunchReport& report) {
    constexpr std::uint64_t least_share = 8;  // of all steps, as its inverse
    const std::uint64_t full = (report.active_lanes + warp_size - 1) / warp_size;
    const std::uint64_t lost = report.steps - std::min(report.steps, full);
    return lost * least_share < report.steps ? 0 : lost;
}

/// Of two kinds of memory without excess the one whose requests cost more has more to show.
Weight weight_of(const Scene& scene, const ViewRow& view) {
    if (view.subject == ViewSubject::branches && scene.report) return {steps_lost(*scene.report), 0};
    const auto kind = memory_kind(view.subject);
    if (!kind || !scene.requests) return {};
    Weight sum;
    const auto is_atomic = [&](SiteId site) {
        return scene.trace->program.sites[site].operation == Operation::atomic;
    };
    // What atomics cost in banks and sectors is shown best by the view of their addresses.
    for (const MemoryKind each : {MemoryKind::shared, MemoryKind::global_or_local})
        for (const auto& site : (*scene.requests)[each].sites) {
            if ((is_atomic(site.site) ? MemoryKind::atomic : each) != *kind) continue;
            sum.excess += site.cost - std::min(site.cost, site.ideal);
            sum.cost += site.cost;
        }
    return sum;
}

bool has_problems(const Scene& scene) { return scene.report && !scene.report->problems.empty(); }

/// Where the kernel's header lists the view; past the end when it does not.
std::size_t place_in_header(const Scene& scene, const ViewRow& view) {
    if (!scene.kernel) return 0;
    const auto& named = scene.kernel->views;
    return static_cast<std::size_t>(std::ranges::find(named, view.name) - named.begin());
}

}  // namespace

bool has_content(const Scene& scene, const ViewRow& view) {
    if (!scene.trace) return true;
    const trace::Trace& trace = *scene.trace;
    switch (view.content) {
        case ViewContent::always:
            return true;
        case ViewContent::requests: {
            const auto kind = memory_kind(view.subject);
            return !kind || !scene.requests || (*scene.requests)[*kind].requests > 0;
        }
        case ViewContent::accesses:
            return !trace.accesses.empty();
        case ViewContent::collectives:
            return any_site(scene, is_collective);
        case ViewContent::clusters:
            return trace.launch.geometry.cluster.count() > 1;
        case ViewContent::matrices:
            return any_site(scene,
                            [](const Site& site) { return matrix_instruction(site.opcode).has_value(); });
        case ViewContent::values:
            return scene.kernel && trace.launch.engine == "simt";
        case ViewContent::trees:
            return scene.trees && !scene.trees->trees.empty();
        case ViewContent::launches:
            return scene.report && scene.report->launches;
        case ViewContent::problems:
            return has_problems(scene) || (scene.report && !notes_of(scene).empty());
        case ViewContent::printed:
            return scene.report && scene.report->printed && !scene.report->printed->calls.empty();
        case ViewContent::parameters:
            return scene.kernel && !scene.kernel->parameters.empty();
        case ViewContent::measured:
            return trace.measured != nullptr;
        case ViewContent::activities:
            return !trace.activities.empty() || scene.model_streams;
        case ViewContent::ptx:
            return !trace.program.ptx.empty();
        case ViewContent::program:
            return scene.kernel && scene.kernel->language == instrumentation::Language::cuda &&
                   scene.kernel->source.find("<<<") != std::string::npos;
    }
    return true;
}

std::vector<RelevantView> views_by_relevance(const Scene* scene, ViewPlace place) {
    std::vector<RelevantView> views;
    for (const ViewRow& row : view_rows())
        if (row.place == place) views.push_back({&row, !scene || has_content(*scene, row)});
    if (!scene || !scene->trace) return views;
    const std::size_t header = scene->kernel ? scene->kernel->views.size() : 0;
    // Smaller is further to the left: empty or not, own or not, then what is wrong, then what costs most.
    const auto key = [&](const RelevantView& one) {
        const std::size_t own = place_in_header(*scene, *one.view);
        const bool wrong = one.view->content == ViewContent::problems && has_problems(*scene);
        const bool is_own = own < header;
        const Weight weight = is_own ? Weight{} : weight_of(*scene, *one.view);
        return std::tuple(!one.has_content, !is_own, is_own ? own : 0, !wrong,
                          -static_cast<std::int64_t>(weight.excess), -static_cast<std::int64_t>(weight.cost));
    };
    std::ranges::stable_sort(views, {}, key);
    return views;
}

}  // namespace warplens::app
