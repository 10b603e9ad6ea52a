#include "app/ui/interface_context.h"

namespace warplens::app {

void set_up_io() {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
}

InterfaceContext::InterfaceContext(ThemeName theme, ImVec2 size, float scale)
    : context_(ImGui::CreateContext()) {
    make_current();
    set_up_io();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = size;
    io.DeltaTime = 1.0f / 60;
    // Needed for draw lists of more than 64 K vertices, since the package uses 16-bit indices.
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    fonts_ = load_fonts(*io.Fonts, scale);
    theme_ = make_theme(theme, fonts_.fonts);
    apply(theme_);
}

InterfaceContext::~InterfaceContext() = default;

void InterfaceContext::make_current() const { ImGui::SetCurrentContext(context_.get()); }

void InterfaceContext::frame(const std::function<void(const Theme&)>& draw) const {
    make_current();
    ImGui::NewFrame();
    draw(theme_);
    ImGui::Render();
}

}  // namespace warplens::app
