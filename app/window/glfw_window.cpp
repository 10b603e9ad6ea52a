#include "app/window/glfw_window.h"

#include <glad/gl.h>
// After GLAD, which brings its own OpenGL declarations.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

#include "app/ui/fonts.h"
#include "app/ui/interface_context.h"

namespace warplens::app {
namespace {

std::string& last_glfw_error() {
    static std::string message;
    return message;
}

}  // namespace

std::string GlfwWindow::last_error() { return last_glfw_error(); }

GlfwWindow::~GlfwWindow() {
    if (window) glfwDestroyWindow(window);
    if (started_) glfwTerminate();
}

bool GlfwWindow::open(const Layout& layout) {
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
                              std::min(layout.window_height, std::max(240, room_down)), "Warplens", nullptr,
                              nullptr);
    if (!window) return false;
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    return gladLoadGL(glfwGetProcAddress) != 0;
}

WindowInterface::WindowInterface(GLFWwindow* window, ThemeName name)
    : window_(window), context_(ImGui::CreateContext()) {
    set_up_io();
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, [](GLFWwindow* of, int key, int scancode, int action, int modifiers) {
        interface_of(of).keys_.push({key, scancode, action, modifiers});
    });
    glfwSetDropCallback(window, [](GLFWwindow* of, int count, const char** paths) {
        const WindowInterface& interface = interface_of(of);
        if (interface.dropped && count > 0) interface.dropped(paths[0]);
    });
    ImGui_ImplOpenGL3_Init("#version 330 core");
    theme.name = name;
    follow_scale();
}

WindowInterface& WindowInterface::interface_of(GLFWwindow* window) {
    return *static_cast<WindowInterface*>(glfwGetWindowUserPointer(window));
}

WindowInterface::~WindowInterface() {
    glfwSetKeyCallback(window_, nullptr);
    glfwSetDropCallback(window_, nullptr);
    make_current();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext(context_);
}

void WindowInterface::make_current() const {
    ImGui::SetCurrentContext(context_);
    glfwMakeContextCurrent(window_);
}

/// Reloads the fonts when the window moves to a monitor with another scale, or a lecture begins or ends.
void WindowInterface::follow_scale() {
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

void WindowInterface::set_theme(ThemeName name, const Fonts& fonts) {
    theme = make_theme(name, fonts);
    apply(theme);
}

void WindowInterface::frame(const std::function<void(const Theme&)>& draw) {
    follow_scale();
    keys_.deliver([&](const KeyQueue::Event& event) {
        ImGui_ImplGlfw_KeyCallback(window_, event.key, event.scancode, event.action, event.modifiers);
    });
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

/// A lecture must be legible from the last row: a line of text is a share of the picture's height, in
/// steps so that dragging a window's edge does not load fonts in each frame.
float WindowInterface::lecture_scale() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    const float share = std::min(static_cast<float>(height) / 720, static_cast<float>(width) / 1280);
    return std::floor(share * lecture_factor * 4) / 4;
}

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

}  // namespace warplens::app
