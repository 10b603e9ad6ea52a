// Palette: one field that finds everything by name and opens it with Enter: app/window/palette/findable.h
// says what. Up, Down, Page Up and Page Down choose, Enter opens, Esc closes; the mouse does the same.
#pragma once

#include <string>
#include <vector>

#include "app/ui/theme.h"
#include "app/window/palette/findable.h"

namespace warplens::app {

class Palette {
  public:
    /// In the next frame, with an empty query.
    void open() { opening_ = true; }
    bool is_open() const { return shown_; }
    /// Over everything else; nothing while it is closed.
    void draw(const Theme& theme, const CommandContext& context);

  private:
    void find(const CommandContext& context);
    bool field(const Theme& theme, float width);
    void take_keys(int rows_shown);
    /// True when a row was clicked.
    bool list(const Theme& theme, ImVec2 size);
    bool row(const Theme& theme, std::size_t index, ImVec2 size);
    void foot(const Theme& theme, float width) const;

    bool opening_ = false, shown_ = false, focus_ = false, reveal_ = false;
    std::string query_, found_for_;
    std::vector<Findable> findables_, typed_values_;
    std::vector<RankedFindable> found_;
    std::size_t current_ = 0;
};

}  // namespace warplens::app
