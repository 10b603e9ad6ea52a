// `warplens shot`: one view, or the whole window, as a PNG, with no display.
#include <fmt/core.h>

#include <algorithm>
#include <regex>

#include "app/capture.h"
#include "app/command_line/commands.h"
#include "app/command_line/target.h"
#include "app/telling_spot.h"
#include "app/view.h"

namespace warplens::app {
namespace {

Result<PictureSize> parse_size(const std::string& text) {
    static const std::regex form(R"(^(\d{1,5})x(\d{1,5})$)");
    std::smatch match;
    PictureSize size;
    if (std::regex_match(text, match, form)) {
        size.width = std::stoi(match[1]);
        size.height = std::stoi(match[2]);
    }
    if (!match.ready() || match.empty() || size.width < 320 || size.height < 200 || size.width > 8192 ||
        size.height > 8192) {
        return fail(
            "--size {}: a size is WIDTHxHEIGHT in pixels, from 320x200 to 8192x8192, for example 1600x1000",
            text);
    }
    // Larger pictures are the same picture in more pixels, not the same words lost in more room.
    const float room =
        std::min(static_cast<float>(size.width) / 1600, static_cast<float>(size.height) / 1000);
    size.scale = std::clamp(room, 1.0f, 4.0f);
    return size;
}

Result<ThemeName> parse_theme(const std::string& text) {
    if (text == "dark") return ThemeName::dark;
    if (text == "light") return ThemeName::light;
    return fail("--theme {} is not known; it is dark or light", text);
}

Status check_view(const std::string& name) {
    if (name == "window" || find_view(name) != nullptr) return {};
    std::vector<std::string> names;
    for (const ViewEntry& entry : view_entries()) names.push_back(entry.name);
    return fail("--view {} is not known; the views are {} and window", name, fmt::join(names, ", "));
}

Result<Picture> window_picture(const Scene& scene, const PictureSize& size, ThemeName theme,
                               const Selection& selection) {
    auto kernels = catalogue();
    if (!kernels) return tl::unexpected(kernels.error());
    Catalogue shared;
    for (auto& kernel : *kernels) {
        shared.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
    }
    const bool has_views = scene.kernel != nullptr && !scene.kernel->views.empty();
    return capture_window(scene, shared, has_views ? scene.kernel->views.front() : "banks", size, theme,
                          selection);
}

}  // namespace

Result<int> shot(const ShotOptions& options) {
    auto size = parse_size(options.size);
    if (!size) return tl::unexpected(size.error());
    auto theme = parse_theme(options.theme);
    if (!theme) return tl::unexpected(theme.error());
    if (auto view = check_view(options.view); !view) return tl::unexpected(view.error());
    if (options.output.ends_with(".svg")) {
        return fail("-o {}: pictures are written as PNG; give a name that ends in .png", options.output);
    }
    if (!options.output.ends_with(".png"))
        return fail("-o {}: a picture's name ends in .png", options.output);

    auto scene = load_scene(options.launch);
    if (!scene) return tl::unexpected(scene.error());
    Selection selection;
    selection.chosen = telling_spot(*scene, options.view);
    auto picture = options.view == "window" ? window_picture(*scene, *size, *theme, selection)
                                            : capture_view(*scene, options.view, *size, *theme, selection);
    if (!picture) return tl::unexpected(picture.error());
    if (auto status = write_png(*picture, options.output); !status) return tl::unexpected(status.error());
    if (scene->report->problems.empty()) return exit_success;
    const Problem& first = scene->report->problems.front();
    fmt::print(stderr, "warplens: {} shows a run with problems ({}: {}); see warplens report\n",
               options.output, to_string(first.kind), first.message);
    return exit_kernel_problems;
}

}  // namespace warplens::app
