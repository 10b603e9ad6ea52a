#include "app/ui/interface_context.h"

#include <cstdlib>
#include <new>
#include <utility>

namespace warplens::app {
namespace {

/// As `new` does: ImGui itself does not ask whether it got memory.
void* allocate_or_throw(std::size_t bytes, void*) {
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    throw std::bad_alloc();
}

void release(void* memory, void*) { std::free(memory); }

}  // namespace

void set_up_io() {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
}

FontAtlas::FontAtlas(float scale) {
    ImGui::SetAllocatorFunctions(allocate_or_throw, release);
    loaded = load_fonts(atlas, scale);
}

FontAtlas::~FontAtlas() { atlas.Locked = false; }  // as ImGui does to its own: a frame may not have ended

InterfaceContext::InterfaceContext(ThemeName theme, ImVec2 size, std::shared_ptr<FontAtlas> fonts)
    : fonts_(std::move(fonts)), context_(ImGui::CreateContext(&fonts_->atlas)) {
    make_current();
    set_up_io();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = size;
    io.DeltaTime = 1.0f / 60;
    // Needed for draw lists of more than 64 K vertices, since the package uses 16-bit indices.
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    theme_ = make_theme(theme, fonts_->loaded.fonts);
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
