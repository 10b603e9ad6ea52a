// Pictures: a view, or the entire window, as an image, drawn without a display by the same code that draws
// the window: as pixels, which needs OpenGL, or as an SVG document, which does not. `warplens shot` and the
// picture button use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/picture.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/callouts.h"

namespace warplens::app {

struct AdviceState;
struct BankFixState;
struct ProgramListState;
struct SweepState;
struct ValuesState;

/// Results of the session's tasks, for the views that draw them, null: they did not run; and whose times are
/// shown.
struct TaskStates {
    const SweepState* sweep = nullptr;
    const BankFixState* bank_fixes = nullptr;
    const AdviceState* advice = nullptr;
    const ValuesState *values = nullptr, *baseline_values = nullptr;
    Level level = Level::machine;  // of times, where machine code is available
    Level counts = Level::ptx;     // of counts, likewise
    const ProgramListState* program = nullptr;
};

/// The run that a picture compares its Scene with.
struct PictureBaseline {
    const Scene* scene = nullptr;   // null: none
    std::string name, scene_name;   // the difference between the two runs
    std::string settings, verdict;  // as in analysis::Comparison
};

struct PictureSize {
    int width = 1280, height = 800;  // pixels
    float scale = 1;                 // 2: the same layout at twice the resolution needs twice the pixels, too
    bool smooth = false;             // draw twice as large and halve
};

/// What a picture of a view has around it, in pixels: margins, and the line that names the launch.
struct PictureMargins {
    float across = 0, down = 0;
};
PictureMargins picture_margins(float scale);

/// One view filling the picture, under a line that says which kernel, with which parameters, on which GPU.
/// `selection` as default_selection (app/scene/default_selection.h) chooses it shows the kernel's worst
/// access. `annotations` become numbered callouts. Errors list the views when there is none of that name, or
/// the marks of the view when an annotation's is not among them.
Result<Picture> capture_view(const Scene& scene, std::string_view view, const PictureSize& size,
                             ThemeName theme, const Selection& selection, const TaskStates& tasks = {},
                             const PictureBaseline& baseline = {},
                             const std::vector<Annotation>& annotations = {});

/// The entire window with this scene open, knobs and catalogue included. An empty `view` is the
/// kernel's first; without a selection the scene's worst access is selected.
Result<Picture> capture_window(const Scene& scene, const Catalogue& catalogue, std::string_view view,
                               const PictureSize& size, ThemeName theme,
                               const std::optional<Selection>& selection, const TaskStates& tasks = {},
                               const PictureBaseline& baseline = {});

/// The same two as SVG documents (app/capture/svg/). `smooth` has no effect on them, and words have their
/// designed widths, so that a line may be slightly shorter than in pixels.
Result<std::string> capture_view_svg(const Scene& scene, std::string_view view, const PictureSize& size,
                                     ThemeName theme, const Selection& selection,
                                     const TaskStates& tasks = {}, const PictureBaseline& baseline = {},
                                     const std::vector<Annotation>& annotations = {});
Result<std::string> capture_window_svg(const Scene& scene, const Catalogue& catalogue, std::string_view view,
                                       const PictureSize& size, ThemeName theme,
                                       const std::optional<Selection>& selection,
                                       const TaskStates& tasks = {}, const PictureBaseline& baseline = {});

}  // namespace warplens::app
