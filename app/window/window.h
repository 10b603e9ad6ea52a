// Window: the GLFW window around a Frame. Sleeps until there is input or a finished run, follows the
// monitor's scale, remembers the layout. The command line decides what it opens with.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/window/layout.h"
#include "app/window/lesson/lesson_page.h"

namespace warplens::app {

class EndInTime;

struct WindowOptions {
    Catalogue catalogue;
    RunScene run;
    Model model;                                                // without one, nothing is timed
    RunSweep sweep;                                             // without one, nothing is swept
    RunMachine machine;                                         // without one, no machine code is executed
    ReadValues read_values;                                     // without one, the Values view is empty
    PrepareRun prepare;                                         // without one, neighbours are not compiled
    Advise advise;                                              // without one, no change is tried
    std::shared_ptr<const instrumentation::KernelFile> kernel;  // null: the first lesson
    std::map<std::string, std::string> parameters;              // of `kernel`, or of `file`
    std::string file;        // the user's own, instead of a kernel: watched, and may be edited
    OpenedWith opened_with;  // shown next to it
    FindEntries find_entries;
    RunProgram run_program;        // null: no program is run
    ListProgram list_program;      // likewise
    std::string gpu;               // empty: the default
    std::optional<Engine> engine;  // else the GPU's when there is one
    /// Names this machine's GPU, or says why there is none; called in the background.
    std::function<Result<std::string>()> find_gpu;
    LessonMeans lessons;                // `wake` is the window's own
    std::optional<std::string> lesson;  // to begin with: its name or file; empty: the list
    std::size_t lesson_step = 0;        // from 1; 0: where the reader left off
    bool present = false;
    std::string view;                // to open; empty: the kernel's first
    bool edit = false;               // the editor in the source's pane
    std::optional<Scene> scene;      // an opened trace, instead of a kernel
    std::string scene_file;          // where it was read from
    ReadTrace read_trace;            // without one, recorded baselines do not come back
    std::optional<ThemeName> theme;  // else as remembered
    bool remember_layout = true;
    /// Where the session is kept while the window is open, and restored from when nothing else is asked for;
    /// empty: nowhere.
    std::string session_path;
    /// Started once a person has closed the window; the caller keeps it until it has ended everything else.
    EndInTime* end = nullptr;

    // For tests of the real window: once nothing is running, draw this many frames, write the last as a PNG
    // and close. 0: stay open.
    int exit_after_frames = 0;
    std::function<bool()> keep_open;  // stay open as long as it returns true
    std::string picture;
};

/// Returns the program's exit code: 0, or 2 after one sentence on standard error when no window can be
/// opened.
int run_window(const WindowOptions& options);

}  // namespace warplens::app
