// CloseRequest: finds out from another thread whether a window was asked to close, while its own thread reads
// no events. Under X11 only; elsewhere the answer is always no.
#pragma once

struct GLFWwindow;

namespace warplens::app {

class CloseRequest {
  public:
    /// On the window's thread.
    explicit CloseRequest(GLFWwindow* window);
    /// Whether a request waits to be read. It stays where it is, and the window's thread finds it there.
    bool waits() const;

  private:
    void* display_ = nullptr;  // null: not under X11
    unsigned long window_ = 0, protocols_ = 0, delete_window_ = 0;
};

}  // namespace warplens::app
