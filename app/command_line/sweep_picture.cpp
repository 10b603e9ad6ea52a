// The picture of a sweep: the sweep view on a page of its own.
#include "app/command_line/picture_options.h"
#include "app/command_line/sweep.h"
#include "app/session/sweep_task.h"
#include "app/window/pictures.h"
#include "core/whole_file.h"

namespace warplens::app {

Status draw_sweep(const SweepWords& words, const Sweep& sweep) {
    WARPLENS_TRY(const auto size, parse_size(words.size));
    WARPLENS_TRY(const auto theme, parse_theme(words.theme));
    const Scene nothing;
    SweepState state;
    state.sweep = std::make_shared<const Sweep>(sweep);
    if (words.format == "svg" || words.output.ends_with(".svg")) {
        WARPLENS_TRY(const auto svg, capture_view_svg(nothing, "sweep", size, theme, {},
                                                      {.sweep = &state, .bank_fixes = nullptr}));
        return write_whole_file(words.output, svg);
    }
    WARPLENS_TRY(const auto picture,
                 capture_view(nothing, "sweep", size, theme, {}, {.sweep = &state, .bank_fixes = nullptr}));
    return write_png(picture, words.output);
}

}  // namespace warplens::app
