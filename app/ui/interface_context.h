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

/// The program's fonts at one scale, `scale` being the monitor's factor.
struct FontAtlas {
    explicit FontAtlas(float scale);
    ~FontAtlas();
    FontAtlas(const FontAtlas&) = delete;
    FontAtlas& operator=(const FontAtlas&) = delete;

    ImFontAtlas atlas;
    LoadedFonts loaded;
};

class InterfaceContext {
  public:
    /// `size` in pixels of the picture. Contexts may share fonts if none of them makes a texture of the atlas
    /// or changes its glyphs.
    InterfaceContext(ThemeName theme, ImVec2 size, std::shared_ptr<FontAtlas> fonts);
    ~InterfaceContext();
    InterfaceContext(const InterfaceContext&) = delete;
    InterfaceContext& operator=(const InterfaceContext&) = delete;

    const Theme& theme() const { return theme_; }
    const std::vector<std::string>& missing_fonts() const { return fonts_->loaded.missing; }
    const std::vector<LoadedFace>& faces() const { return fonts_->loaded.faces; }
    void make_current() const;
    /// One frame: begins it, calls draw, and renders it into ImGui's draw data.
    void frame(const std::function<void(const Theme&)>& draw) const;

  private:
    struct DestroyContext {
        void operator()(ImGuiContext* context) const { ImGui::DestroyContext(context); }
    };
    std::shared_ptr<FontAtlas> fonts_;  // outlives the context
    std::unique_ptr<ImGuiContext, DestroyContext> context_;
    Theme theme_;
};

/// The settings that every context of the program shares: no files of ImGui's own, our keys.
void set_up_io();

}  // namespace warplens::app
