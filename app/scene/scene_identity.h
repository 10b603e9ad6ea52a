// SceneIdentity: which Scene something was derived from. The address alone is not enough: a later Scene may
// be made where an earlier one was.
#pragma once

#include <cstdint>

#include "app/scene/scene.h"

namespace warplens::app {

class SceneIdentity {
  public:
    SceneIdentity() = default;
    /// Null: no Scene.
    SceneIdentity(const Scene* scene) : scene_(scene), generation_(scene ? scene->generation : 0) {}
    explicit operator bool() const { return scene_ != nullptr; }
    friend bool operator==(const SceneIdentity&, const SceneIdentity&) = default;

  private:
    const Scene* scene_ = nullptr;
    std::uint64_t generation_ = 0;
};

/// Which run at which level something was derived from: a Scene that only got other times is the same run.
class RunIdentity {
  public:
    RunIdentity() = default;
    RunIdentity(const Scene& scene) : generation_(scene.generation), trace_(scene.trace.get()) {}
    friend bool operator==(const RunIdentity&, const RunIdentity&) = default;

  private:
    std::uint64_t generation_ = 0;
    const trace::Trace* trace_ = nullptr;
};

}  // namespace warplens::app
