// Baselines: the runs that were kept to compare with. A Scene is shared and immutable, so keeping one makes
// no copy. At most one of them is compared with the Scene shown; the comparison is made once per pair of
// Scenes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/comparison.h"
#include "app/scene/scene.h"

namespace warplens::app {

struct Baseline {
    std::string name;  // "transpose_tiled PAD=0", or what a person called it
    std::shared_ptr<const Scene> scene;
    std::string launch = {};  // what it is called by itself
    std::string file = {};    // the .wltrace that it was read from; empty: it was run

    bool renamed() const { return name != launch; }
};

class Baselines {
  public:
    /// Keeps the run and compares with it from now on. The same launch replaces its older run. `file`: of a
    /// recorded trace.
    void keep(std::shared_ptr<const Scene> scene, std::string file = {});
    void choose(std::size_t index) { chosen_ = index; }
    /// Compares with nothing; the baselines stay.
    void choose_none() { chosen_.reset(); }
    void remove(std::size_t index);
    /// An empty name: what it is called by itself.
    void rename(std::size_t index, std::string name);
    /// More is known of the timing of a run that is kept.
    void replace(const Scene* old, const std::shared_ptr<const Scene>& scene);

    const std::vector<Baseline>& all() const { return all_; }
    /// Null: nothing is compared with.
    const Baseline* chosen() const { return chosen_ ? &all_[*chosen_] : nullptr; }
    /// The chosen one, unless it is what is shown.
    const Baseline* other_than(const Scene* shown) const;
    /// Of the chosen baseline and the Scene; null without a baseline, or where it is the Scene itself. Times
    /// and counts are those of the wanted levels if both runs have them, else of the PTX.
    const analysis::Comparison* comparison_with(const std::shared_ptr<const Scene>& scene, Level wanted,
                                                Level counts);

  private:
    std::vector<Baseline> all_;
    std::optional<std::size_t> chosen_;
    std::optional<analysis::Comparison> comparison_;
    std::shared_ptr<const Scene> before_, after_;      // of the comparison
    Level level_ = Level::ptx, counted_ = Level::ptx;  // likewise
};

/// "transpose_tiled PAD=0": the kernel, the settings that differ from the defaults, and the engine if it is a
/// GPU.
std::string baseline_name(const Scene& scene);

}  // namespace warplens::app
