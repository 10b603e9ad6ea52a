#include "tests/app/ask_to_close.h"

#include <algorithm>
#include <span>

// Last, and in no unity batch: its macros are named like ordinary words.
#include <X11/Xlib.h>
#include <X11/Xutil.h>

namespace warplens::app {
namespace {

bool takes_requests(Display* display, Window window, Atom delete_window) {
    XWindowAttributes attributes;
    if (!XGetWindowAttributes(display, window, &attributes) || attributes.map_state != IsViewable)
        return false;
    Atom* protocols = nullptr;
    int count = 0;
    if (!XGetWMProtocols(display, window, &protocols, &count)) return false;
    const std::span<const Atom> all(protocols, static_cast<std::size_t>(count));
    const bool takes = std::find(all.begin(), all.end(), delete_window) != all.end();
    XFree(protocols);
    return takes;
}

void send(Display* display, Window window, Atom delete_window) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = window;
    event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(delete_window);
    event.xclient.data.l[1] = CurrentTime;
    XSendEvent(display, window, False, NoEventMask, &event);
}

}  // namespace

bool ask_to_close(const std::string& display_name) {
    Display* const display = XOpenDisplay(display_name.c_str());
    if (!display) return false;
    const Atom delete_window = XInternAtom(display, "WM_DELETE_WINDOW", False);
    Window root = 0, parent = 0, *children = nullptr;
    unsigned count = 0;
    bool sent = false;
    if (XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count) && children) {
        for (const Window window : std::span<const Window>(children, count)) {
            if (!takes_requests(display, window, delete_window)) continue;
            send(display, window, delete_window);
            sent = true;
        }
        XFree(children);
    }
    XCloseDisplay(display);
    return sent;
}

}  // namespace warplens::app
