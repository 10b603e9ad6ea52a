// PixelTexture: a small picture of pixels that a draw list can show, kept in a texture of the interface's
// renderer. Without a renderer (tests without a display, vector images) there is none, and the caller draws
// rectangles.
#pragma once

#include <imgui.h>

#include <span>

namespace warplens::app {

class PixelTexture {
  public:
    PixelTexture() = default;
    PixelTexture(const PixelTexture&) = delete;
    PixelTexture& operator=(const PixelTexture&) = delete;
    ~PixelTexture();

    /// Whether the current ImGui context is rendered by OpenGL.
    static bool available();
    /// `pixels` are rows from the top, width * height of them, both at least 1. Call only where available.
    void update(int width, int height, std::span<const ImU32> pixels);
    ImTextureID id() const;

  private:
    unsigned texture_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace warplens::app
