#include "app/window/window.h"

#include <fmt/format.h>
#include <glad/gl.h>
// After GLAD, which brings its own OpenGL declarations.
#include <GLFW/glfw3.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "app/capture/picture.h"
#include "app/session/saved/session_keeper.h"
#include "app/window/close_request.h"
#include "app/window/close_watch.h"
#include "app/window/end_in_time.h"
#include "app/window/frame.h"
#include "app/window/frame_pacer.h"
#include "app/window/glfw_window.h"
#include "app/window/seen_picture.h"
#include "core/leftovers.h"

namespace warplens::app {
namespace {

int refuse(const std::string& reason) {
    fmt::print(
        stderr,
        "warplens: cannot open a window ({}). Without a display, use `warplens list`, `warplens report "
        "KERNEL` or `warplens shot KERNEL --view banks -o OUT.png`.\n",
        reason);
    return 2;
}

void open_lesson(const WindowOptions& options, LessonPage& lessons) {
    if (options.lesson->empty()) return lessons.show_list();
    lessons.open(*options.lesson);
    lessons.present(options.present);
    if (options.lesson_step > 0) lessons.go_to(options.lesson_step - 1);
}

/// True when there was a session with something to open.
bool restore_session(const std::string& path, Frame& frame) {
    const auto saved = load_session(path);
    if (!saved) frame.dialogs.say(saved.error().message);
    if (!saved || !*saved || ((*saved)->run.kernel.empty() && !(*saved)->own)) return false;
    frame.restore(**saved);
    return true;
}

/// At the end nothing is unsaved: the window has asked what becomes of changes.
SavedSession closed_session(const Frame& frame) {
    SavedSession saved = frame.saved();
    if (saved.own) saved.own->unsaved.reset();
    return saved;
}

/// Of two delays of which 0 means none, the one that ends first.
double soonest(double a, double b) { return a <= 0 ? b : b <= 0 ? a : std::min(a, b); }

void open_first(const WindowOptions& options, Session& session, OwnFile& own, Frame& frame) {
    if (!options.gpu.empty()) session.set_gpu(options.gpu);
    if (options.engine) session.set_engine(*options.engine);
    if (options.find_gpu) session.look_for_gpu(options.find_gpu);
    if (options.sweep) session.set_sweep_runner(options.sweep);
    if (options.machine) session.set_machine_runner(options.machine);
    if (options.prepare) session.set_preparer(options.prepare);
    if (options.advise) session.set_adviser(options.advise);
    if (options.read_values) session.set_values_reader(options.read_values);
    if (options.read_trace) session.set_trace_reader(options.read_trace);
    if (options.scene) {
        session.show(*options.scene, options.scene_file);
    } else if (!options.file.empty()) {
        if (const Status opened = own.open(options.file, options.opened_with); !opened)
            session.refuse(opened.error().message);
        for (const auto& [name, value] : options.parameters) session.set_parameter(name, value);
    } else if (options.kernel) {
        session.open_kernel(options.kernel);
        for (const auto& [name, value] : options.parameters) session.set_parameter(name, value);
    } else if (options.lesson && !options.lesson->empty()) {
        // The lesson opens its kernel.
    } else if (!restore_session(options.session_path, frame) && !frame.open_first_lesson() &&
               !options.catalogue.empty()) {
        session.open_kernel(options.catalogue.front());
    }
    if (!options.view.empty()) frame.open_view(options.view);
    frame.state.editing = options.edit;
}

/// Sleeps until there is something to draw.
void wait_for_events(const Session& session, double due_in, FramePacer& pacer) {
    // While something runs, the veil fades in; while an arrow is held, it goes on stepping.
    const bool running = session.running() || session.values().running;
    const FramePacer::Wait wait =
        pacer.next({running, ImGui::IsAnyItemActive(), ImGui::GetIO().WantTextInput, due_in});
    if (wait.until_event) glfwWaitEvents();
    else if (wait.seconds > 0) glfwWaitEventsTimeout(wait.seconds);
    else glfwPollEvents();
}

void follow_title(GLFWwindow* window, const Frame& frame, std::string& title) {
    std::string now = frame.title();
    if (now == title) return;
    title = std::move(now);
    glfwSetWindowTitle(window, title.c_str());
}

/// What a frame asked of the window.
void carry_out_wishes(Session& session, Frame& frame, Layout& layout, WindowInterface& interface,
                      FramePacer& pacer) {
    if (std::exchange(frame.state.toggle_theme, false)) {
        layout.theme = layout.theme == ThemeName::dark ? ThemeName::light : ThemeName::dark;
        interface.set_theme(layout.theme, interface.theme.fonts);
        pacer.wake();
    }
    if (const auto target = std::exchange(frame.state.take_picture, std::nullopt)) {
        glfwMakeContextCurrent(nullptr);
        frame.state.notice = take_picture(session, frame, interface.theme, *target);
        interface.make_current();
        gladLoadGL(glfwGetProcAddress);
        pacer.wake();
    }
}

/// The window's size and the layout, for the next start.
void take_size(GLFWwindow* window, Layout& layout) {
    layout.maximised = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) == GLFW_TRUE;
    if (layout.maximised) return;
    float scale = 1, vertical = 1;
    int width = 0, height = 0;
    glfwGetWindowContentScale(window, &scale, &vertical);
    glfwGetWindowSize(window, &width, &height);
    layout.window_width = static_cast<int>(std::lround(static_cast<float>(width) / scale));
    layout.window_height = static_cast<int>(std::lround(static_cast<float>(height) / vertical));
}

/// Draws frames and waits for events until the window closes. All it needs outlives it.
struct WindowLoop {
    const WindowOptions& options;
    GLFWwindow* window;
    WindowInterface& interface;
    CloseWatch& watch;
    Session& session;
    OwnFile& own;
    Frame& frame;
    LessonPage& lessons;
    SessionKeeper& keeper;
    Layout& layout;
    FramePacer pacer = {};
    int settled_frames = 0;
    std::string title = {};

    bool busy() const { return session.busy() || lessons.busy() || own.runs_program(); }

    /// Nothing, or the exit code of a picture that could not be written.
    std::optional<int> run() {
        for (;;) {
            const bool leaving = options.exit_after_frames > 0 && !(options.keep_open && options.keep_open());
            if (leaving && !busy()) pacer.keep_going();
            watch.frame_ends();
            wait_for_events(session, soonest(frame.state.due_in, keeper.due_in(glfwGetTime())), pacer);
            if (glfwWindowShouldClose(window)) {
                if (frame.may_close()) return std::nullopt;
                glfwSetWindowShouldClose(window, GLFW_FALSE);
            }
            // What is not saved is in the session, if that is kept; else a person must be asked.
            watch.frame_begins(!options.session_path.empty() || !own.is_changed());
            draw();
            if (!busy() && ++settled_frames >= options.exit_after_frames && leaving) return save_picture();
            glfwSwapBuffers(window);
            if (frame.dialogs.take_close_window()) return std::nullopt;
            carry_out_wishes(session, frame, layout, interface, pacer);
        }
    }

  private:
    void draw() {
        const bool was_running = session.running();
        interface.presenting = lessons.presenting() || frame.state.presenting;
        // A lesson's page is words; what F5 shows is read from the last row.
        interface.lecture_factor = lessons.presenting() ? 1.0f : 1.25f;
        interface.text_scale = layout.text_scale;
        interface.frame([&](const Theme& theme) { frame.draw(theme); });
        pacer.drawn(frame.state.moving);
        if (interface.keys_wait()) pacer.keep_going();
        keeper.follow(glfwGetTime(), [&] { return frame.saved(); });
        if (std::string fault = keeper.take_fault(); !fault.empty()) frame.dialogs.say(std::move(fault));
        if (was_running && !session.running()) pacer.wake();
        follow_title(window, frame, title);
    }

    std::optional<int> save_picture() const {
        if (options.picture.empty()) return std::nullopt;
        const Status written = write_png(read_window(window), options.picture);
        if (written) return std::nullopt;
        fmt::print(stderr, "warplens: {}\n", written.error().message);
        return 2;
    }
};

void end_at_once() {
    clean_up_leftovers();
    ::_exit(0);
}

}  // namespace

int run_window(const WindowOptions& options) {
    const std::string remembered = options.remember_layout ? layout_path() : std::string();
    Layout layout = load_layout(remembered);
    if (options.theme) layout.theme = *options.theme;
    GlfwWindow opened;
    if (!opened.open(layout))
        return refuse(GlfwWindow::last_error().empty() ? "OpenGL 3.3 is missing" : GlfwWindow::last_error());
    GLFWwindow* window = opened.window;
    const CloseRequest close_request(window);
    CloseWatch watch([&] { return close_request.waits(); }, end_at_once);
    watch.frame_begins(true);
    WindowInterface interface(window, layout.theme);

    // Ends before GLFW does: its worker posts events.
    Session session(
        options.catalogue, options.run, [] { glfwPostEmptyEvent(); }, options.model);
    OwnFile own(session, options.find_entries, [] { glfwPostEmptyEvent(); });
    own.set_program_runner(options.run_program);
    own.set_program_lister(options.list_program);
    Frame frame(session, layout);
    frame.set_own_file(&own);
    LessonMeans means = options.lessons;
    means.wake = [] { glfwPostEmptyEvent(); };
    LessonPage lessons(session, std::move(means));
    frame.set_lessons(&lessons);
    SessionKeeper keeper(options.session_path, [] { glfwPostEmptyEvent(); });
    open_first(options, session, own, frame);
    if (options.lesson) open_lesson(options, lessons);
    interface.dropped = [&](const std::string& path) { frame.dialogs.open_now(path, own); };
    if (!interface.missing_fonts.empty()) frame.state.notice = interface.missing_fonts.front();

    WindowLoop open{options, window, interface, watch, session, own, frame, lessons, keeper, layout};
    if (const auto failed = open.run()) return *failed;

    // From here a person sees a closed window, however long it takes to save and to end.
    watch.frame_ends();
    take_size(window, layout);
    glfwHideWindow(window);
    keeper.finish(closed_session(frame));
    if (const Status saved = save_layout(layout, remembered); !saved)
        fmt::print(stderr, "warplens: {}\n", saved.error().message);
    if (options.end) options.end->start();
    return 0;
}

}  // namespace warplens::app
