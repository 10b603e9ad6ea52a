#include "app/capture/svg/vector_capture.h"

#include "app/capture/svg/draw_data.h"
#include "app/ui/shared_fonts.h"

namespace warplens::app::svg {
namespace {

/// The document has its own background; a window's background over all of it, in the same colour, would only
/// be in the way of an editor.
void drop_ground(Drawing& drawing) {
    if (drawing.layers.empty()) return;
    auto& shapes = drawing.layers.front().shapes;
    const auto* rect = std::get_if<Rect>(&shapes.front().form);
    if (rect && shapes.front().colour == drawing.background && shapes.front().stroke == 0 &&
        *rect == Rect{{0, 0}, {drawing.width, drawing.height}})
        shapes.erase(shapes.begin());
}

}  // namespace

Drawing capture(float width, float height, float scale, ThemeName theme,
                const std::function<void(const Theme&)>& draw, int frames) {
    const InterfaceContext context(theme, {width, height}, shared_fonts(scale, GlyphWidths::designed));
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {-1e30f, -1e30f};
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLines = style.AntiAliasedLinesUseTex = style.AntiAliasedFill = false;
    // Curves consist of straight pieces; a reader may zoom into a figure.
    style.CurveTessellationTol = 0.2f;
    style.CircleTessellationMaxError = 0.05f;
    for (int i = 0; i < frames; ++i) context.frame(draw);
    Drawing drawing = read_draw_data(*ImGui::GetDrawData(), context.faces());
    drawing.background = context.theme().background;
    drop_ground(drawing);
    return drawing;
}

}  // namespace warplens::app::svg
