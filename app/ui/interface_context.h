// InterfaceContext: an ImGui context with the program's fonts and theme and no platform backend. The base
// of tests (tests/support/headless.h) and of pictures (app/capture/offscreen.h); the window makes its own in
// app/window/window.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/fonts.h"
#include "app/ui/theme.h"

namespace warplens::app {

class InterfaceContext {
  public:
    /// `size` in pixels of the picture, `scale` is the monitor's factor.
    InterfaceContext(ThemeName theme, ImVec2 size, float scale);
    ~InterfaceContext();
    InterfaceContext(const InterfaceContext&) = delete;
    InterfaceContext& operator=(const InterfaceContext&) = delete;

    const Theme& theme() const { return theme_; }
    const std::vector<std::string>& missing_fonts() const { return fonts_.missing; }
    const std::vector<LoadedFace>& faces() const { return fonts_.faces; }
    void make_current() const;
    /// One frame: begins it, calls draw, and renders it into ImGui's draw data.
    void frame(const std::function<void(const Theme&)>& draw) const;

  private:
    struct DestroyContext {
        void operator()(ImGuiContext* context) const { ImGui::DestroyContext(context); }
    };
    std::unique_ptr<ImGuiContext, DestroyContext> context_;
    Theme theme_;
    LoadedFonts fonts_;
};

/// The settings that every context of the program shares: no files of ImGui's own, our keys.
void set_up_io();

}  // namespace warplens::app
