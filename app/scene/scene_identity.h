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

}  // namespace warplens::app
