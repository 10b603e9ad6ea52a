// The picture of a sweep: the sweep view on a page of its own.
#include "app/command_line/picture_options.h"
#include "app/command_line/sweep.h"
#include "app/session/sweep_task.h"
#include "app/window/pictures.h"
#include "core/whole_file.h"

namespace warplens::app {

Status draw_sweep(const SweepWords& words, const Sweep& sweep) {
    const auto size = parse_size(words.size);
    if (!size) return tl::unexpected(size.error());
    const auto theme = parse_theme(words.theme);
    if (!theme) return tl::unexpected(theme.error());
    const Scene nothing;
    SweepState state;
    state.sweep = std::make_shared<const Sweep>(sweep);
    if (words.format == "svg" || words.output.ends_with(".svg")) {
        const auto svg =
            capture_view_svg(nothing, "sweep", *size, *theme, {}, {.sweep = &state, .bank_fixes = nullptr});
        if (!svg) return tl::unexpected(svg.error());
        return write_whole_file(words.output, *svg);
    }
    const auto picture =
        capture_view(nothing, "sweep", *size, *theme, {}, {.sweep = &state, .bank_fixes = nullptr});
    if (!picture) return tl::unexpected(picture.error());
    return write_png(*picture, words.output);
}

}  // namespace warplens::app
