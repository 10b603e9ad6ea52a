#include "app/window/seen_picture.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string_view>

#include "app/capture/picture.h"
#include "app/scene/scene_words.h"
#include "app/window/picture_clipboard.h"
#include "app/window/pictures.h"
#include "core/whole_file.h"
#include "core/whole_path.h"

namespace warplens::app {
namespace {

/// Settings become part of a file's name.
std::string in_a_file_name(std::string words) {
    for (char& c : words)
        if (!std::isalnum(static_cast<unsigned char>(c)) &&
            std::string_view("=.+-_").find(c) == std::string_view::npos)
            c = '_';
    return words;
}

std::string stem_of(const Scene& scene, std::string_view view) {
    std::string stem = scene.trace ? scene.trace->launch.kernel : "kernel";
    for (const std::string& setting : changed_settings(scene)) stem += "_" + setting;
    return in_a_file_name(fmt::format("{}_{}", stem, view));
}

/// A name that no file has yet: transpose_tiled_banks.png, transpose_tiled_banks_2.png, …
std::string free_name(const std::string& stem, std::string_view ending) {
    std::error_code error;
    for (int number = 1;; ++number) {
        const std::string name =
            number == 1 ? fmt::format("{}{}", stem, ending) : fmt::format("{}_{}{}", stem, number, ending);
        if (!std::filesystem::exists(name, error)) return name;
    }
}

/// What capture_view takes, of the view that was seen.
struct Seen {
    const Scene* scene;
    std::string view;
    PictureSize size;
    ThemeName theme;
    Selection selection;
    TaskStates tasks;
    PictureBaseline baseline;
};

PictureSize size_of(const SeenView& seen, const PictureOrder& order, const Theme& theme) {
    const auto larger = static_cast<float>(order.scale);
    const PictureExtent extent = picture_extents[order.extent];
    if (extent.width > 0) return {extent.width, extent.height, larger, false};
    const float scale = theme.fonts.scale * larger;
    const PictureMargins margins = picture_margins(scale);
    return {static_cast<int>(seen.width * larger + margins.across),
            static_cast<int>(seen.height * larger + margins.down), scale, false};
}

Result<Seen> seen_of(Session& session, const Frame& frame, const Theme& theme) {
    const Scene* scene = session.scene();
    const SeenView& seen = frame.seen();
    if (!scene || seen.view.empty()) return fail("There is no image to save yet.");
    const PictureOrder& order = frame.state.picture;
    Seen out{scene,
             std::string(seen.view),
             size_of(seen, order, theme),
             order.theme.value_or(theme.name),
             session.selection,
             {&session.sweep(), &session.bank_fixes(), &session.advice(), &session.values(),
              &session.baseline_values(), frame.state.level, frame.state.counts, &frame.program()},
             {}};
    if (const analysis::Comparison* comparison = session.comparison(frame.state.level, frame.state.counts)) {
        const Baseline& chosen = *session.baselines.chosen();
        out.baseline = {chosen.scene.get(), chosen.renamed() ? chosen.name : comparison->before_name,
                        comparison->after_name, comparison->settings, comparison->verdict};
    }
    frame.describe_view(seen.view, out.selection);
    return out;
}

Result<Picture> draw(const Seen& seen) {
    return capture_view(*seen.scene, seen.view, seen.size, seen.theme, seen.selection, seen.tasks,
                        seen.baseline);
}

Status write(const Seen& seen, bool svg, const std::string& path) {
    if (svg) {
        WARPLENS_TRY(const std::string document,
                     capture_view_svg(*seen.scene, seen.view, seen.size, seen.theme, seen.selection,
                                      seen.tasks, seen.baseline));
        return write_whole_file(path, document);
    }
    WARPLENS_TRY(const Picture picture, draw(seen));
    return write_png(picture, path);
}

Status copy(const Picture& picture) {
    WARPLENS_TRY(const auto png, encode_png(picture));
    return copy_png(png);
}

}  // namespace

std::string picture_name(const Session& session, const Frame& frame) {
    const Scene* scene = session.scene();
    if (!scene) return {};
    return free_name(stem_of(*scene, frame.seen().view), frame.state.picture.svg ? ".svg" : ".png");
}

std::string take_picture(Session& session, const Frame& frame, const Theme& theme, PictureTarget target) {
    const auto seen = seen_of(session, frame, theme);
    if (!seen) return seen.error().message;
    if (target == PictureTarget::clipboard) {
        const auto picture = draw(*seen);
        const Status copied = picture ? copy(*picture) : tl::unexpected(picture.error());
        return copied ? "Picture copied." : copied.error().message;
    }
    const std::string path = picture_name(session, frame);
    if (const Status written = write(*seen, frame.state.picture.svg, path); !written)
        return written.error().message;
    return "Image saved as " + whole_path(path) + ".";
}

}  // namespace warplens::app
