// GlfwWindow: GLFW with one window and its OpenGL context; WindowInterface: Dear ImGui on it. window.cpp
// decides what is drawn, and when.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/capture/picture.h"
#include "app/ui/theme.h"
#include "app/window/key_queue.h"
#include "app/window/layout.h"

struct GLFWwindow;
struct ImGuiContext;

namespace warplens::app {

class GlfwWindow {
  public:
    GlfwWindow() = default;
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;
    ~GlfwWindow();

    bool open(const Layout& layout);
    /// Why it could not be opened.
    static std::string last_error();

    GLFWwindow* window = nullptr;

  private:
    bool started_ = false;
};

class WindowInterface {
  public:
    WindowInterface(GLFWwindow* window, ThemeName name);
    WindowInterface(const WindowInterface&) = delete;
    WindowInterface& operator=(const WindowInterface&) = delete;
    ~WindowInterface();

    void make_current() const;
    void set_theme(ThemeName name, const Fonts& fonts);
    void frame(const std::function<void(const Theme&)>& draw);
    /// Another frame is needed for keys that were pressed meanwhile.
    bool keys_wait() const { return keys_.waits(); }

    std::function<void(const std::string& path)> dropped;  // a file, on the window
    Theme theme;
    std::vector<std::string> missing_fonts;
    bool presenting = false;
    float text_scale = 1;      // a person's, on the monitor's own
    float lecture_factor = 1;  // of what a lecture's height asks for

  private:
    static WindowInterface& interface_of(GLFWwindow* window);
    void follow_scale();
    float lecture_scale() const;

    GLFWwindow* window_;
    ImGuiContext* context_;
    KeyQueue keys_;
};

/// The current contents of the window, before they are shown on screen.
Picture read_window(GLFWwindow* window);

}  // namespace warplens::app
