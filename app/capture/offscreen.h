// Offscreen: the same interface drawn by OpenGL into a picture, with no display: EGL without a surface and a
// framebuffer object. The caller draws; see app/window/pictures.h for views and the whole window.
#pragma once

#include <functional>
#include <memory>

#include "app/capture/picture.h"
#include "app/ui/interface_context.h"

namespace warplens::app {

struct OffscreenOptions {
    int width = 1280, height = 800;  // pixels of the picture
    float scale = 1;                 // size of words and spaces, like a monitor's factor
    ThemeName theme = ThemeName::dark;
    bool smooth = false;  // draw twice as large and halve: smoother lines, softer words
};

class Offscreen {
  public:
    /// Errors name what the machine lacks, or the allowed sizes.
    static Result<std::unique_ptr<Offscreen>> open(const OffscreenOptions& options);
    ~Offscreen();

    const Theme& theme() const { return interface_->theme(); }
    /// Draws `frames` frames, so that what sizes itself by its content has settled, and returns the last.
    Picture render(const std::function<void(const Theme&)>& draw, int frames = 3);

  private:
    struct Display;
    struct Target;
    explicit Offscreen(const OffscreenOptions& options);

    OffscreenOptions options_;
    // Destroyed in reverse: the interface's renderer needs the framebuffer's context, which the display
    // holds.
    std::unique_ptr<Display> display_;
    std::unique_ptr<Target> target_;
    std::unique_ptr<InterfaceContext> interface_;
};

}  // namespace warplens::app
