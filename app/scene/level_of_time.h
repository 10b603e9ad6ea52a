// LevelOfTime: which of a Scene's two schedules is shown. The machine level's is of the instructions that the
// GPU executes; the PTX level's estimates them. The machine level's arrives after the Scene.
#pragma once

#include <memory>
#include <string>

#include "app/scene/scene.h"
#include "core/provenance.h"

namespace warplens::app {

struct LeveledTiming {
    const SceneTiming* timing = nullptr;  // null: the model has not answered
    Level level = Level::ptx;
};

/// The times at the wanted level where they are known, else those of the PTX.
LeveledTiming timing_at(const Scene& scene, Level wanted);

/// Whose instructions are counted: the PTX's, but of a .cubin, which has none.
Level level_of_counts(const Scene& scene);
/// Whose counts views show where those of `wanted` are asked for.
Level level_of_counts(const Scene& scene, Level wanted);

/// "earliest possible reconvergence · PTX level": how the masks of lanes came about.
std::string provenance_of_masks(const Scene& scene);

/// Why the times are not at the machine level, as a sentence; empty: they are.
std::string why_not_machine_level(const Scene& scene);
/// Likewise of the counts, which need no times: there are none of a launch with textures.
std::string why_not_machine_counts(const Scene& scene);

/// The Scene's launch at the machine level: its trace, report, times and answered questions. The Roofline's
/// operations and bytes are those of `counts`. `why_not_machine_counts` is empty.
std::shared_ptr<const Scene> at_machine_level(const Scene& scene, Level counts = Level::ptx);

/// The times of a Scene's machine code with a Roofline of the Scene's own report: operations and bytes are
/// counted by the same instructions as in `report`, and the time is the machine code's. Null stays null.
std::shared_ptr<const SceneTiming> with_counts_of(const Scene& scene,
                                                  std::shared_ptr<const SceneTiming> machine);
/// The level at which both runs can be shown: the wanted one, unless one of them has no times at it. Null:
/// one run only. With a .cubin it is the machine level, which is all that it has.
Level common_level(const Scene& scene, const Scene* other, Level wanted);
/// Likewise of counts.
Level common_counts(const Scene& scene, const Scene* other, Level wanted);

}  // namespace warplens::app
