// The picture of a program's kernels: the Program view on a page of its own.
#include "app/command_line/commands.h"
#include "app/command_line/picture_options.h"
#include "app/session/own_file/program_list_task.h"
#include "app/window/pictures.h"
#include "core/whole_file.h"

namespace warplens::app {

Status draw_program(const ProgramOptions& options, const ProgramLaunches& program) {
    WARPLENS_TRY(const auto size, parse_size(options.size));
    WARPLENS_TRY(const auto theme, parse_theme(options.theme));
    const Scene nothing;
    ProgramListState state;
    state.file = options.launch.target;
    state.launches = std::make_shared<const ProgramLaunches>(program);
    TaskStates tasks;
    tasks.program = &state;
    if (options.format == "svg" || options.output.ends_with(".svg")) {
        WARPLENS_TRY(const auto svg, capture_view_svg(nothing, "program", size, theme, {}, tasks));
        return write_whole_file(options.output, svg);
    }
    WARPLENS_TRY(const auto picture, capture_view(nothing, "program", size, theme, {}, tasks));
    return write_png(picture, options.output);
}

}  // namespace warplens::app
