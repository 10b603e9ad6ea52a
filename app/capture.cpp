#include "app/capture.h"

#include <cmath>

#include "app/frame.h"
#include "app/imgui_compat.h"
#include "app/offscreen.h"
#include "app/view.h"
#include "app/widgets/separator.h"
#include "app/widgets/text.h"

namespace warplens::app {
namespace {

void draw_view_page(const Theme& theme, View& view, const Scene& scene, Selection& selection) {
    const float scale = theme.fonts.scale;
    const float margin = std::round(24 * scale);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, std::round(16 * scale)});
    ImGui::Begin("page", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    const std::string launch = launch_words(scene);
    const float width = ImGui::GetContentRegionAvail().x;
    text_item(theme.fonts.small, theme.text_dim, fit_text(theme.fonts.small, launch, width));
    hairline(theme, 4);
    compat::begin_child("view", ImGui::GetContentRegionAvail(),
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    Commands ignored;
    ViewFrame frame{&scene, selection, ignored, theme, false};
    if (scene.timing) frame.timing = scene.timing->options;
    view.draw(frame);
    ImGui::EndChild();
    ImGui::End();
}

Result<const ViewEntry*> view_named(std::string_view name) {
    if (const ViewEntry* entry = find_view(name)) return entry;
    std::string names;
    for (const ViewEntry& known : view_entries())
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    return fail("There is no view named {}; the views are {}.", name, names);
}

}  // namespace

std::string launch_words(const Scene& scene) {
    std::string words;
    if (scene.trace) words = scene.trace->launch.kernel;
    if (words.empty() && scene.kernel) words = scene.kernel->name;
    const auto add = [&](const std::string& more) {
        if (!words.empty() && !more.empty()) words += " · ";
        words += more;
    };
    if (scene.kernel) {
        // The header's order is the one the knobs stand in.
        for (const auto& parameter : scene.kernel->parameters)
            if (const auto value = scene.parameters.find(parameter.name); value != scene.parameters.end())
                add(parameter.name + " " + instrumentation::to_string(value->second));
    } else if (scene.trace) {
        for (const auto& [name, value] : scene.trace->launch.parameters) add(name + " " + value);
    }
    if (scene.gpu) add(std::string(scene.gpu->name));
    return words;
}

Result<Picture> capture_view(const Scene& scene, std::string_view view_name, const PictureSize& size,
                             ThemeName theme, const Selection& selection) {
    const auto entry = view_named(view_name);
    if (!entry) return tl::unexpected(entry.error());
    auto offscreen = Offscreen::open({size.width, size.height, size.scale, theme, size.smooth});
    if (!offscreen) return tl::unexpected(offscreen.error());
    const auto view = (*entry)->make();
    Selection chosen = selection;
    return (*offscreen)->render([&](const Theme& drawn) {
        draw_view_page(drawn, *view, scene, chosen);
        chosen.hover = chosen.next_hover = {};
    });
}

Result<Picture> capture_window(const Scene& scene, const Catalogue& catalogue, std::string_view view,
                               const PictureSize& size, ThemeName theme,
                               const std::optional<Selection>& selection) {
    if (!view.empty())
        if (const auto entry = view_named(view); !entry) return tl::unexpected(entry.error());
    auto offscreen = Offscreen::open({size.width, size.height, size.scale, theme, size.smooth});
    if (!offscreen) return tl::unexpected(offscreen.error());
    Session session(catalogue, [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
        return fail("A picture runs nothing.");
    });
    session.show(scene);
    if (selection) session.selection = *selection;
    Layout layout;
    Frame frame(session, layout);
    // The kernel's own first view opens with the first frame; the one asked for follows it.
    return (*offscreen)->render([&](const Theme& drawn) {
        frame.draw(drawn);
        if (!view.empty()) frame.open_view(view);
    });
}

}  // namespace warplens::app
