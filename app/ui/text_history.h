// TextHistory: undo and redo for an edited text: complete states, one per sequence of
// typing. It keeps texts, not keystrokes, so that it also takes back what a program put in.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warplens::app {

struct TextState {
    std::string text;
    int cursor = 0;  // byte offset
};

class TextHistory {
  public:
    /// The text before the next change. Changes at most a second apart, of the same kind (growing,
    /// shrinking), are undone together.
    void note(const TextState& before, std::size_t size_after, double seconds);
    std::optional<TextState> undo(const TextState& now);
    std::optional<TextState> redo(const TextState& now);
    void clear();

  private:
    std::vector<TextState> undone_, done_;
    std::size_t bytes_ = 0;  // held in done_
    double last_seconds_ = -1e9;
    bool last_grew_ = false;
};

}  // namespace warplens::app
