// The timeline's controls next to its title: play head, search, and a button to show all cycles.
#pragma once

#include <string>

#include "app/views/timeline/find.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// The actions that controls and keys request in a frame.
struct TimelineOrders {
    int head = 0;      // cycles to move the play head by
    int change = 0;    // +1: to where the chosen warp's next state begins, -1: to the one before
    int find = 0;      // +1: the next match, -1: the one before
    double pan = 0;    // by a share of what is seen
    float scroll = 0;  // rows
    bool show_all = false;
    bool open_find = false;
};

/// Keys typed anywhere but into a field; arrows only while the mouse is over the timeline.
void take_timeline_keys(bool hovered, TimelineOrders& orders);

class TimelineControls {
  public:
    /// At the cursor's height, ending at `right`. Returns where it begins.
    float draw(const TimelineIndex& index, ViewFrame& frame, float right, bool shows_all,
               TimelineOrders& orders);
    /// `room` in unscaled pixels, of the title and the controls: what has a key gives way first.
    void fit(float room) {
        shows_speed_ = room > 960;
        shows_find_ = room > 700;
    }
    /// take_timeline_keys, and F opens the field.
    void take_keys(bool hovered, TimelineOrders& orders);
    /// Width that draw will take.
    float width(const Theme& theme) const;

    const TimelineQuery& query() const { return query_; }
    void forget_matches() { parsed_ = false; }

  private:
    void draw_find(const TimelineIndex& index, const Theme& theme, float& x, float y, TimelineOrders& orders);

    float play_width(const Theme& theme) const;
    void draw_play(ViewFrame& frame, float& x, float y) const;

    bool shows_speed_ = false, shows_find_ = true;
    bool finding_ = false, focus_ = false, parsed_ = false;
    std::string text_, found_words_;
    TimelineQuery query_;
};

}  // namespace warplens::app
