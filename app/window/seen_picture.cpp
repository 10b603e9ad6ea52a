#include "app/window/seen_picture.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/capture/picture.h"
#include "app/window/picture_clipboard.h"
#include "app/window/pictures.h"
#include "core/whole_path.h"

namespace warplens::app {
namespace {

/// A name that no file has yet: transpose_tiled_banks.png, transpose_tiled_banks_2.png, …
std::string free_name(const std::string& stem) {
    std::error_code error;
    for (int number = 1;; ++number) {
        const std::string name = number == 1 ? stem + ".png" : fmt::format("{}_{}.png", stem, number);
        if (!std::filesystem::exists(name, error)) return name;
    }
}

Result<Picture> draw_seen(Session& session, const Frame& frame, const Theme& theme) {
    const Scene* scene = session.scene();
    const SeenView& seen = frame.seen();
    if (!scene || seen.view.empty()) return fail("There is no image to save yet.");
    constexpr float sharper = 2;
    const float scale = theme.fonts.scale * sharper;
    const PictureMargins margins = picture_margins(scale);
    const PictureSize size{static_cast<int>(seen.width * sharper + margins.across),
                           static_cast<int>(seen.height * sharper + margins.down), scale, false};
    PictureBaseline baseline;
    if (const analysis::Comparison* comparison = session.comparison(frame.state.level)) {
        const Baseline& chosen = *session.baselines.chosen();
        baseline = {chosen.scene.get(), chosen.renamed() ? chosen.name : comparison->before_name,
                    comparison->after_name, comparison->settings, comparison->verdict};
    }
    Selection selection = session.selection;
    frame.describe_view(seen.view, selection);
    return capture_view(*scene, seen.view, size, theme.name, selection,
                        {&session.sweep(), &session.bank_fixes(), &session.advice(), &session.values(),
                         &session.baseline_values(), frame.state.level},
                        baseline);
}

Status copy(const Picture& picture) {
    WARPLENS_TRY(const auto png, encode_png(picture));
    return copy_png(png);
}

}  // namespace

std::string take_picture(Session& session, const Frame& frame, const Theme& theme, PictureTarget target) {
    const auto picture = draw_seen(session, frame, theme);
    if (!picture) return picture.error().message;
    if (target == PictureTarget::clipboard) {
        const Status copied = copy(*picture);
        return copied ? "Picture copied." : copied.error().message;
    }
    const Scene* scene = session.scene();
    const std::string kernel = scene->trace ? scene->trace->launch.kernel : "kernel";
    const std::string path = free_name(kernel + "_" + frame.seen().view);
    if (const Status written = write_png(*picture, path); !written) return written.error().message;
    return "Image saved as " + whole_path(path) + ".";
}

}  // namespace warplens::app
