// PlayHead: moves the selection through a run by itself, so that all views follow: through the cycles of the
// schedule where the selected warp is in it, else through the warp's steps. It is asked once a frame and
// works only while it plays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

class PlayHead {
  public:
    bool playing() const { return playing_; }
    void stop() { playing_ = false; }
    /// Goes on where the selection is; from the beginning where that is the end. False: there is nothing to
    /// play.
    bool start(const Scene* scene, const Selection& selection);
    /// Moves the selection by what has passed. At the end of the run, or when another run is shown, it stops.
    void advance(const Scene* scene, Selection& selection, double seconds);

    /// Without a choice a run takes about twenty seconds; each step from there is a factor of about two.
    void change_speed(int by);
    /// "500 cycles/s"; empty: there is nothing to play.
    std::string speed_words(const Scene* scene, const Selection& selection) const;

  private:
    struct Track {
        bool is_cycles = false;  // else steps of the warp
        std::uint32_t warp_record = 0;
        double length = 1;  // positions that there are
    };
    static std::optional<Track> track_of(const Scene* scene, const Spot& chosen);
    static double position_of(const Scene& scene, const Track& track, const Spot& chosen);
    static Spot spot_at(const Scene& scene, const Track& track, std::uint32_t position, const Spot& before);
    double per_second(const Track& track) const;

    bool playing_ = false;
    int faster_ = 0;  // steps from the speed that the run's length suggests
    double at_ = 0;
    Spot set_;  // what it selected last: another selection was made by a person, and it goes on from there
    std::uint64_t generation_ = 0, timing_generation_ = 0;
};

}  // namespace warplens::app
