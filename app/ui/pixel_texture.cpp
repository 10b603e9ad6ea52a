#include "app/ui/pixel_texture.h"

#include <glad/gl.h>

#include <cstdint>
#include <string_view>

namespace warplens::app {

PixelTexture::~PixelTexture() {
    if (texture_ != 0 && ImGui::GetCurrentContext() && available()) glDeleteTextures(1, &texture_);
}

bool PixelTexture::available() {
    const char* renderer = ImGui::GetIO().BackendRendererName;
    return renderer && std::string_view(renderer).find("opengl3") != std::string_view::npos;
}

void PixelTexture::update(int width, int height, std::span<const ImU32> pixels) {
    GLint bound = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    if (texture_ == 0) glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (width != width_ || height != height_) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        width_ = width;
        height_ = height;
    } else {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    }
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
}

ImTextureID PixelTexture::id() const { return (ImTextureID) static_cast<std::intptr_t>(texture_); }

}  // namespace warplens::app
