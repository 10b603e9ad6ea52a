// Setting history: undo and redo for the knobs, the GPU and the selection, kernel by kernel. It compares what
// the session is set to in each frame with the frame before; steps less than a second apart that turn the
// same knob, or move the play head alone, are undone together. What a run selects by itself is not a step.
// The history of an edited text is app/ui/text_history.h's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace warplens::app {

class SettingHistory {
  public:
    /// Once a frame after Session::poll. `seconds` of any clock. `playing`: the play head makes the
    /// selection, and all that it passes is one step.
    void follow(Session& session, double seconds, bool playing = false);
    bool can_undo() const;
    bool can_redo() const;
    void undo(Session& session);
    void redo(Session& session);
    /// Selects the spot, if there is one, and shows the cycles in the timeline, once the current run is there
    /// and unless something else is done before.
    void show_after_run(const Session& session, std::optional<Spot> spot, std::optional<WantedCycles> cycles);

  private:
    struct Setting {
        std::map<std::string, std::string> knobs;  // those that were turned
        std::string gpu;
        Spot chosen;
    };
    struct Steps {
        std::vector<Setting> done, undone;
    };
    static Setting setting_of(const Session& session);
    void note(const Setting& now, const std::string& change, double seconds);
    /// To the last of `from`; what is set now becomes the last of `to`.
    void step(Session& session, std::vector<Setting>& from, std::vector<Setting>& to);
    void go_to(Session& session, Setting setting);
    void restore_selection(Session& session);

    std::map<std::string, Steps> steps_;  // by path or name of the kernel
    std::string kernel_;
    Setting present_;
    std::string last_change_;  // "PAD", "cycle": what may be merged with the next step
    double changed_at_ = -1e9;
    std::uint64_t scene_ = 0, timing_ = 0;  // generations that `present_` was seen with
    struct Wanted {
        std::string kernel;
        std::optional<Spot> spot;
        std::optional<WantedCycles> cycles;
    };
    std::optional<Wanted> wanted_;  // to be shown once the run of the knobs is there
};

}  // namespace warplens::app
