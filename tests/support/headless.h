// Headless: the interface under test, without a GPU or display. Draws frames, takes synthetic input, and
// finds clickable boxes by name (app/ui/hit_boxes.h) and the words that were drawn. A click takes several
// frames, like a real one.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/interface_context.h"

namespace warplens::app {

class Headless {
  public:
    using Draw = std::function<void(const Theme&)>;
    explicit Headless(Draw draw, ImVec2 size = {1440, 900}, ThemeName theme = ThemeName::dark,
                      float scale = 1);

    const Theme& theme() const { return context_.theme(); }
    void frame(int count = 1);

    void move_mouse(ImVec2 to);
    void click_at(ImVec2 at);
    void double_click_at(ImVec2 at);
    void drag(ImVec2 from, ImVec2 to);
    void wheel(float steps);
    void press(compat::Key key);
    void type(std::string_view text);

    /// As of the last frame; nullptr when nothing of that name was drawn.
    const HitBox* find(std::string_view box) const;
    /// False when nothing of that name was drawn.
    bool click(std::string_view box);
    bool hover(std::string_view box);

    /// Words of the last frame, in drawing order, one string per call of the text widgets.
    const std::vector<std::string>& words() const { return notes_.words; }
    bool shows(std::string_view part) const;
    /// Those of them that have one place.
    const std::vector<DrawnText>& texts() const { return notes_.texts; }
    /// Vertices of the last frame: 0 for a blank one.
    int vertices() const;

  private:
    InterfaceContext context_;
    Draw draw_;
    FrameNotes notes_;
};

}  // namespace warplens::app
