// ask_to_close: what a window manager sends when a person clicks the close button of a window.
#pragma once

#include <string>

namespace warplens::app {

/// Sends the request to the window on this X display that takes such requests. False while there is none.
bool ask_to_close(const std::string& display_name);

}  // namespace warplens::app
