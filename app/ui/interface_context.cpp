#include "app/ui/interface_context.h"

#include <cstdlib>
#include <new>

namespace warplens::app {
namespace {

/// As `new` does: ImGui itself does not ask whether it got memory.
void* allocate_or_throw(std::size_t bytes, void*) {
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    throw std::bad_alloc();
}

void release(void* memory, void*) { std::free(memory); }

ImGuiContext* create_context() {
    ImGui::SetAllocatorFunctions(allocate_or_throw, release);
    return ImGui::CreateContext();
}

}  // namespace

void set_up_io() {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
}

InterfaceContext::InterfaceContext(ThemeName theme, ImVec2 size, float scale) : context_(create_context()) {
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
