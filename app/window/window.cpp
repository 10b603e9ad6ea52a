#include "app/window/window.h"

#include <fmt/format.h>
#include <glad/gl.h>
// After GLAD, which brings its own OpenGL declarations.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "app/capture/picture.h"
#include "app/session/saved/session_keeper.h"
#include "app/ui/fonts.h"
#include "app/ui/interface_context.h"
#include "app/window/end_in_time.h"
#include "app/window/frame.h"
#include "app/window/frame_pacer.h"
#include "app/window/seen_picture.h"

namespace warplens::app {
namespace {

std::string& last_glfw_error() {
    static std::string message;
    return message;
}

int refuse(const std::string& reason) {
    fmt::print(
        stderr,
        "warplens: cannot open a window ({}). Without a display, use `warplens list`, `warplens report "
        "KERNEL` or `warplens shot KERNEL --view banks -o OUT.png`.\n",
        reason);
    return 2;
}

/// GLFW, the window and its OpenGL context.
class OpenWindow {
  public:
    OpenWindow() = default;
    OpenWindow(const OpenWindow&) = delete;
    OpenWindow& operator=(const OpenWindow&) = delete;
    ~OpenWindow() {
        if (window) glfwDestroyWindow(window);
        if (started_) glfwTerminate();
    }

    bool open(const Layout& layout) {
        glfwSetErrorCallback([](int, const char* message) { last_glfw_error() = message; });
        started_ = glfwInit();
        if (!started_) return false;
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
        glfwWindowHint(GLFW_MAXIMIZED, layout.maximised ? GLFW_TRUE : GLFW_FALSE);
        int left = 0, top = 0, room_across = layout.window_width, room_down = layout.window_height;
        if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
            glfwGetMonitorWorkarea(monitor, &left, &top, &room_across, &room_down);
        window = glfwCreateWindow(std::min(layout.window_width, std::max(320, room_across)),
                                  std::min(layout.window_height, std::max(240, room_down)), "Warplens",
                                  nullptr, nullptr);
        if (!window) return false;
        glfwMakeContextCurrent(window);
        glfwSwapInterval(1);
        return gladLoadGL(glfwGetProcAddress) != 0;
    }

    GLFWwindow* window = nullptr;

  private:
    bool started_ = false;
};

/// ImGui with its GLFW and OpenGL backends on an open window.
class WindowInterface {
  public:
    WindowInterface(GLFWwindow* window, ThemeName name) : window_(window), context_(ImGui::CreateContext()) {
        set_up_io();
        ImGui_ImplGlfw_InitForOpenGL(window, true);
        ImGui_ImplOpenGL3_Init("#version 330 core");
        theme.name = name;
        follow_scale();
    }
    WindowInterface(const WindowInterface&) = delete;
    WindowInterface& operator=(const WindowInterface&) = delete;
    ~WindowInterface() {
        make_current();
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext(context_);
    }

    void make_current() const {
        ImGui::SetCurrentContext(context_);
        glfwMakeContextCurrent(window_);
    }

    /// Reloads the fonts when the window moves to a monitor with another scale, or a lecture begins or ends.
    void follow_scale() {
        float scale = 1, vertical = 1;
        glfwGetWindowContentScale(window_, &scale, &vertical);
        scale *= text_scale;
        if (presenting) scale = std::max(scale, lecture_scale());
        scale = std::clamp(scale, 0.5f, 4.0f);
        if (scale == theme.fonts.scale && theme.fonts.words) return;
        ImGuiIO& io = ImGui::GetIO();
        io.Fonts->Clear();
        LoadedFonts loaded = load_fonts(*io.Fonts, scale);
        missing_fonts = std::move(loaded.missing);
        if (theme.fonts.words) {
            ImGui_ImplOpenGL3_DestroyFontsTexture();
            ImGui_ImplOpenGL3_CreateFontsTexture();
        }
        set_theme(theme.name, loaded.fonts);
    }

    void set_theme(ThemeName name, const Fonts& fonts) {
        theme = make_theme(name, fonts);
        apply(theme);
    }

    template <class Draw>
    void frame(Draw&& draw) {
        follow_scale();
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        ImGui::NewFrame();
        draw(theme);
        ImGui::Render();
        int width = 0, height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        const ImVec4 background = ImGui::ColorConvertU32ToFloat4(theme.background);
        glViewport(0, 0, width, height);
        glClearColor(background.x, background.y, background.z, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }

    Theme theme;
    std::vector<std::string> missing_fonts;
    bool presenting = false;
    float text_scale = 1;      // a person's, on the monitor's own
    float lecture_factor = 1;  // of what a lecture's height asks for

  private:
    /// A lecture must be legible from the last row: a line of text is a share of the picture's height, in
    /// steps so that dragging a window's edge does not load fonts in each frame.
    float lecture_scale() const {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        const float share = std::min(static_cast<float>(height) / 720, static_cast<float>(width) / 1280);
        return std::floor(share * lecture_factor * 4) / 4;
    }

    GLFWwindow* window_;
    ImGuiContext* context_;
};

/// The current contents of the window, before they are shown on screen.
Picture read_window(GLFWwindow* window) {
    Picture picture;
    glfwGetFramebufferSize(window, &picture.width, &picture.height);
    const auto row = static_cast<std::size_t>(picture.width) * 4;
    std::vector<std::uint8_t> upside_down(row * static_cast<std::size_t>(picture.height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
    for (int y = picture.height - 1; y >= 0; --y) {
        const auto* from = upside_down.data() + static_cast<std::size_t>(y) * row;
        picture.rgba.insert(picture.rgba.end(), from, from + row);
    }
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
    return picture;
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
    if (options.advise) session.set_adviser(options.advise);
    if (options.read_values) session.set_values_reader(options.read_values);
    if (options.scene) {
        session.show(*options.scene);
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

/// Opens files that are dropped on the window.
struct Dropped {
    OwnFile* own;
    Frame* frame;
};

void open_dropped(GLFWwindow* window, int count, const char** paths) {
    auto* const dropped = static_cast<Dropped*>(glfwGetWindowUserPointer(window));
    if (dropped && count > 0) dropped->frame->dialogs.open_now(paths[0], *dropped->own);
}

/// Sleeps until there is something to draw.
void wait_for_events(const Session& session, double due_in, FramePacer& pacer) {
    // While something runs, the veil fades in; while an arrow is held, it goes on stepping.
    const FramePacer::Wait wait =
        pacer.next({session.running(), ImGui::IsAnyItemActive(), ImGui::GetIO().WantTextInput, due_in});
    if (wait.until_event) glfwWaitEvents();
    else if (wait.seconds > 0) glfwWaitEventsTimeout(wait.seconds);
    else glfwPollEvents();
}

}  // namespace

int run_window(const WindowOptions& options) {
    const std::string remembered = options.remember_layout ? layout_path() : std::string();
    Layout layout = load_layout(remembered);
    if (options.theme) layout.theme = *options.theme;
    OpenWindow opened;
    if (!opened.open(layout))
        return refuse(last_glfw_error().empty() ? "OpenGL 3.3 is missing" : last_glfw_error());
    GLFWwindow* window = opened.window;
    WindowInterface interface(window, layout.theme);

    EndInTime end;
    // Ends before GLFW does: its worker posts events.
    Session session(
        options.catalogue, options.run, [] { glfwPostEmptyEvent(); }, options.model);
    OwnFile own(session, options.find_entries, [] { glfwPostEmptyEvent(); });
    Frame frame(session, layout);
    frame.set_own_file(&own);
    LessonMeans means = options.lessons;
    means.wake = [] { glfwPostEmptyEvent(); };
    LessonPage lessons(session, std::move(means));
    frame.set_lessons(&lessons);
    SessionKeeper keeper(options.session_path, [] { glfwPostEmptyEvent(); });
    open_first(options, session, own, frame);
    if (options.lesson) open_lesson(options, lessons);
    Dropped dropped{&own, &frame};
    glfwSetWindowUserPointer(window, &dropped);
    glfwSetDropCallback(window, open_dropped);
    if (!interface.missing_fonts.empty()) frame.state.notice = interface.missing_fonts.front();

    FramePacer pacer;
    int settled_frames = 0;
    std::string title;
    for (;;) {
        if (glfwWindowShouldClose(window)) {
            if (frame.may_close()) break;
            glfwSetWindowShouldClose(window, GLFW_FALSE);
        }
        const bool leaving = options.exit_after_frames > 0 && !(options.keep_open && options.keep_open());
        if (leaving && !session.busy() && !lessons.busy()) pacer.keep_going();
        wait_for_events(session, soonest(frame.state.due_in, keeper.due_in(glfwGetTime())), pacer);
        const bool was_running = session.running();
        interface.presenting = lessons.presenting() || frame.state.presenting;
        // A lesson's page is words; what F5 shows is read from the last row.
        interface.lecture_factor = lessons.presenting() ? 1.0f : 1.25f;
        interface.text_scale = layout.text_scale;
        interface.frame([&](const Theme& theme) { frame.draw(theme); });
        pacer.drawn(frame.state.moving);
        keeper.follow(glfwGetTime(), [&] { return frame.saved(); });
        if (std::string fault = keeper.take_fault(); !fault.empty()) frame.dialogs.say(std::move(fault));
        if (was_running && !session.running()) pacer.wake();
        if (std::string now = frame.title(); now != title) {
            title = std::move(now);
            glfwSetWindowTitle(window, title.c_str());
        }
        if (!session.busy() && !lessons.busy() && ++settled_frames >= options.exit_after_frames && leaving) {
            if (!options.picture.empty())
                if (const Status written = write_png(read_window(window), options.picture); !written) {
                    fmt::print(stderr, "warplens: {}\n", written.error().message);
                    return 2;
                }
            break;
        }
        glfwSwapBuffers(window);
        if (frame.dialogs.take_close_window()) break;

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

    keeper.finish(closed_session(frame));
    layout.maximised = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) == GLFW_TRUE;
    if (!layout.maximised) {
        float scale = 1, vertical = 1;
        int width = 0, height = 0;
        glfwGetWindowContentScale(window, &scale, &vertical);
        glfwGetWindowSize(window, &width, &height);
        layout.window_width = static_cast<int>(std::lround(static_cast<float>(width) / scale));
        layout.window_height = static_cast<int>(std::lround(static_cast<float>(height) / vertical));
    }
    if (const Status saved = save_layout(layout, remembered); !saved)
        fmt::print(stderr, "warplens: {}\n", saved.error().message);
    glfwHideWindow(window);
    if (options.exit_after_frames == 0) end.start();
    return 0;
}

}  // namespace warplens::app
