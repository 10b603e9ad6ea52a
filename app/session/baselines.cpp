#include "app/session/baselines.h"

#include <algorithm>
#include <filesystem>

#include "app/scene/level_of_time.h"
#include "app/scene/scene_facts.h"
#include "app/scene/scene_words.h"

namespace warplens::app {
namespace {

/// Read again, or restored from an earlier session, it is another object with the same contents.
bool same_kernel(const instrumentation::KernelFile* a, const instrumentation::KernelFile* b) {
    if (a == b || !a || !b) return a == b;
    return a->path == b->path && a->name == b->name && a->entry == b->entry && a->source == b->source &&
           a->grid == b->grid && a->block == b->block && a->arguments == b->arguments &&
           a->defines == b->defines;
}

}  // namespace

std::string baseline_name(const Scene& scene) {
    std::string name = scene.report->launch.kernel;
    for (const std::string& setting : changed_settings(scene)) name += " " + setting;
    if (scene.gpu && scene.gpu != &default_gpu()) name += fmt::format(" on {}", scene.gpu->name);
    if (scene.engine != Engine::simt) name += fmt::format(", {}", title_of(scene.engine));
    return name;
}

void Baselines::keep(std::shared_ptr<const Scene> scene, std::string file) {
    if (!scene || !scene->report) return;
    std::string launch = baseline_name(*scene);
    if (!file.empty()) launch += fmt::format(", {}", std::filesystem::path(file).filename().string());
    Baseline kept{launch, std::move(scene), launch, std::move(file)};
    const auto same_launch = [&](const Baseline& other) {
        return baseline_name(*other.scene) == baseline_name(*kept.scene) && other.file == kept.file &&
               same_kernel(other.scene->kernel.get(), kept.scene->kernel.get());
    };
    auto at = std::ranges::find_if(all_, same_launch);
    if (at == all_.end()) {
        // Another text of the same file: a number distinguishes them.
        const auto twins = std::ranges::count_if(
            all_, [&](const Baseline& other) { return other.launch.starts_with(kept.launch); });
        if (twins > 0) kept.launch += fmt::format(" ({})", twins + 1);
        kept.name = kept.launch;
        at = all_.insert(all_.end(), std::move(kept));
    } else {
        at->scene = std::move(kept.scene);  // it keeps the name that a person gave it
    }
    chosen_ = static_cast<std::size_t>(at - all_.begin());
}

void Baselines::remove(std::size_t index) {
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
    if (!chosen_) return;
    if (*chosen_ == index) chosen_.reset();
    else if (*chosen_ > index) --*chosen_;
}

void Baselines::rename(std::size_t index, std::string name) {
    Baseline& baseline = all_[index];
    baseline.name = name.find_first_not_of(' ') == std::string::npos ? baseline.launch : std::move(name);
}

void Baselines::replace(const Scene* old, const std::shared_ptr<const Scene>& scene) {
    for (Baseline& baseline : all_)
        if (baseline.scene.get() == old) baseline.scene = scene;
}

const Baseline* Baselines::other_than(const Scene* shown) const {
    const Baseline* baseline = chosen();
    if (!baseline || !shown) return nullptr;
    // What-if answers make a new Scene of the same run.
    const bool same_run =
        baseline->scene->generation == shown->generation && baseline->scene->timing == shown->timing;
    return same_run ? nullptr : baseline;
}

const analysis::Comparison* Baselines::comparison_with(const std::shared_ptr<const Scene>& scene,
                                                       Level wanted, Level counts) {
    const Baseline* baseline = other_than(scene.get());
    if (!baseline || !scene->report) return nullptr;
    const Level level = common_level(*scene, baseline->scene.get(), wanted);
    const Level counted = common_counts(*scene, baseline->scene.get(), counts);
    if (!comparison_ || before_ != baseline->scene || after_ != scene || level_ != level ||
        counted_ != counted) {
        comparison_ =
            analysis::compare(facts_of(*baseline->scene, level, counted), facts_of(*scene, level, counted));
        before_ = baseline->scene;
        after_ = scene;
        level_ = level;
        counted_ = counted;
    }
    return &*comparison_;
}

}  // namespace warplens::app
