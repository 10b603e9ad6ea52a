// The words of `warplens`: the window, pictures, and all that works without them.
#include "app/command_line/commands.h"

namespace warplens::app {

int run_command_line(int argument_count, char** arguments) {
    return run_words_that_draw({.open_window = open_window,
                                .shot = shot,
                                .draw_sweep = draw_sweep,
                                .draw_program = draw_program,
                                .list_lessons = list_lessons,
                                .check_lessons = check_lessons,
                                .lesson_handout = lesson_handout},
                               argument_count, arguments);
}

}  // namespace warplens::app
