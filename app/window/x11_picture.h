// X11 picture: a PNG on the clipboard of an X server. There, the owner of the clipboard hands its contents to
// every program that asks, for as long as it is the owner: a thread with a connection of its own does that,
// and sleeps in between. GLFW offers text only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.h"

namespace warplens::app {

class X11Picture {
  public:
    /// Owns the clipboard of $DISPLAY when it returns. The error is a sentence.
    static Result<std::unique_ptr<X11Picture>> offer(std::vector<std::uint8_t> png);
    ~X11Picture();
    X11Picture(const X11Picture&) = delete;
    X11Picture& operator=(const X11Picture&) = delete;

  private:
    struct Server;
    explicit X11Picture(std::unique_ptr<Server> server);
    std::unique_ptr<Server> server_;
};

}  // namespace warplens::app
