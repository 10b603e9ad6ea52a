#include "app/window/close_request.h"

#include <GLFW/glfw3.h>

#ifdef WARPLENS_X11
#include <dlfcn.h>

// Last, and in no unity batch: its macros are named like ordinary words.
#include <X11/Xlib.h>

namespace warplens::app {
namespace {

/// A GLFW without X11, as Debian's for Wayland, has none of its functions, so the program must start without
/// them. A weak reference does not help: linkers that find the function in the GLFW at hand make it a strong
/// one.
template <class Function>
Function* function_of_glfw(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

struct Sought {
    Window window;
    Atom protocols, delete_window;
    bool found;
};

/// Matches nothing, so that the queue stays as it is.
Bool look_at_event(Display*, XEvent* event, XPointer data) {
    auto* const sought = reinterpret_cast<Sought*>(data);
    if (event->type == ClientMessage && event->xclient.window == sought->window &&
        event->xclient.message_type == sought->protocols &&
        static_cast<Atom>(event->xclient.data.l[0]) == sought->delete_window)
        sought->found = true;
    return False;
}

}  // namespace

CloseRequest::CloseRequest(GLFWwindow* window) {
    auto* const display_of = function_of_glfw<Display*()>("glfwGetX11Display");
    auto* const window_of = function_of_glfw<Window(GLFWwindow*)>("glfwGetX11Window");
    if (!display_of || !window_of) return;
    Display* const display = display_of();
    if (!display) return;
    display_ = display;
    window_ = window_of(window);
    protocols_ = XInternAtom(display, "WM_PROTOCOLS", False);
    delete_window_ = XInternAtom(display, "WM_DELETE_WINDOW", False);
}

bool CloseRequest::waits() const {
    if (!display_) return false;
    auto* const display = static_cast<Display*>(display_);
    Sought sought{window_, protocols_, delete_window_, false};
    XEvent event;
    const int queued = XEventsQueued(display, QueuedAlready);
    XCheckIfEvent(display, &event, look_at_event, reinterpret_cast<XPointer>(&sought));
    // Events that went from the connection to the queue do not wake a thread that sleeps on the connection.
    if (XEventsQueued(display, QueuedAlready) > queued) glfwPostEmptyEvent();
    return sought.found;
}

}  // namespace warplens::app
#else
namespace warplens::app {

CloseRequest::CloseRequest(GLFWwindow*) {}
bool CloseRequest::waits() const { return false; }

}  // namespace warplens::app
#endif
