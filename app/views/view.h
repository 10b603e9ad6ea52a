// View: one way of looking at a Scene. A view is one class in a folder of app/views/ and one line in
// app/scene/views.def. It draws plain data into its region and writes to the Selection; analyses belong in
// analysis/, and a view never waits. To add one, read app/views/occupancy/view.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/pipeline/sweep.h"
#include "app/pipeline/values/values_question.h"
#include "app/scene/advice.h"
#include "app/scene/scene.h"
#include "app/scene/scene_identity.h"
#include "app/scene/selection.h"
#include "app/scene/view_list.h"
#include "app/ui/theme.h"
#include "app/views/shared/machine_level.h"
#include "core/provenance.h"
#include "core/timing_options.h"

namespace warplens::app {

struct AdviceState;
struct BankFixState;
struct FailedSource;
class PlayHead;
struct ProgramListState;
struct SweepState;
struct ValuesState;

/// Requests of a view to the session; carried out after the frame.
struct Commands {
    struct SetParameter {
        std::string name, value;
    };
    std::vector<SetParameter> set_parameters;  // "try PAD 1"
    std::vector<Edit> edit_source;             // of the kernel's own file
    std::string open_view;                     // ViewRow::name; empty: none
    std::string set_gpu;                       // GpuSpec name; empty: none
    std::optional<TimingOptions> set_timing;   // what-if knobs
    std::optional<SweepPlan> start_sweep;
    bool cancel_sweep = false;
    bool takes_arrow_keys = false;  // they move something in the view
    bool redraw = false;            // something is moving: draw the next frame at once
    bool toggle_play = false;       // start or stop the play head
    int play_faster = 0;            // change its speed
    std::optional<ValuesQuestion> ask_values, ask_baseline_values;  // of this run; of the baseline
    bool try_more_changes = false;                                  // of the kernel, with more time
    bool list_program = false, cancel_list = false;                 // of the user's own file
    /// A launch of the user's program: EntryFacts::symbol of its kernel, and which launch of it, from 1.
    std::optional<std::pair<std::string, std::uint32_t>> open_launch;
    std::optional<std::string> try_bank_fixes;  // of this shared array; empty: of the one that wastes most
};

struct ViewFrame {
    const Scene* scene;  // null before the first run: see ViewNeeds::run
    Selection& selection;
    Commands& commands;
    const Theme& theme;
    bool interactive;               // false for `shot`: no hover, no scrolling; show everything
    bool motion = false;            // animations may take up to 200 ms; off: there are none
    TimingOptions timing = {};      // current what-if knobs; the Scene's own are older while `modelling`
    bool modelling = false;         // the Scene's timing does not (yet) match the knobs
    std::string_view running = {};  // the kernel of the first run, while there is no Scene; empty: none
    bool asks_for_launch = false;   // while there is no Scene: the open file waits for its launch settings
    const SweepState* sweep = nullptr;             // null: sweeps are not available
    const BankFixState* bank_fixes = nullptr;      // null: advice is not available
    const ValuesState* values = nullptr;           // null: values are not available
    const ValuesState* baseline_values = nullptr;  // likewise, of the run to compare with
    /// The run to compare with, null: nothing is compared.
    const Scene* baseline = nullptr;
    std::string_view baseline_name = {},
                     scene_name = {};     // the difference between the two runs: "PAD=0", "PAD=1"
    const AdviceState* advice = nullptr;  // likewise
    std::string_view open_view = {};      // in the centre, where nothing else was selected since; empty: else
    bool focused = false;                 // its pane has the keyboard: arrows and Enter are for it
    Level level = Level::machine;         // of modelled times, where machine code is available
    Level counts = Level::ptx;            // of what is counted, likewise; of ViewNeeds::counts
    const PlayHead* play = nullptr;       // null: nothing plays, as in pictures
    const ProgramListState* program = nullptr;  // null: no file of the user's could be run
    const FailedSource* failed = nullptr;  // the text that a run failed with, which Source shows; null: none

    /// The same frame of the runs at the machine level, whose selection is their own. What was found out of
    /// the PTX's steps (values, layouts of shared memory) is left out.
    ViewFrame at_machine(const Scene& machine, const Scene* machine_baseline, Selection& own) const;
};

/// Of two runs of which one is a .cubin, without PTX, and the other has both levels.
enum class TwoLevels : std::uint8_t {
    machine,  // both are drawn at the machine level
    either,   // what the view draws is the same at both levels
    none,     // it follows the PTX, so the two are not compared
};

/// What a view draws from. Without it View::draw shows what is missing and what to do next.
struct ViewNeeds {
    bool run = true;  // a Scene with a trace
    bool report = false, gpu = false;
    bool warps = false;           // in the trace
    bool failed_source = false;   // it draws ViewFrame::failed, also before the first run
    std::string_view timed = {};  // "The roofline appears here.": an answer of the timing model; empty: none
    bool launch = false;          // it draws times of the launch, nothing of its sites: at ViewFrame::level
    bool counts = false;          // it draws what the launch's instructions do: at ViewFrame::counts
    TwoLevels of_two_levels = TwoLevels::machine;
};

class View {
  public:
    virtual ~View() = default;
    /// Draws into the current ImGui window, from the cursor to the end of the content region.
    void draw(ViewFrame& frame);
    /// Into the Selection's wishes: what of the view is on screen, so that a picture shows the same.
    virtual void add_wishes(Selection&) const {}

  protected:
    virtual ViewNeeds needs() const { return {}; }
    /// One sentence: why the baseline cannot be drawn next to this run. The view then shows the sentence, and
    /// draws as if there was no baseline. Empty: it can be drawn. Called with what the view needs.
    virtual std::string cannot_compare(const ViewFrame&) { return {}; }
    /// Called with what the view needs.
    virtual void draw_scene(ViewFrame& frame) = 0;

  private:
    /// Of runs at one level.
    void draw_runs(ViewFrame frame);
    /// Of runs that are drawn at the machine level, which both have.
    void draw_machine(ViewFrame& frame);
    /// The same frame with both runs at the level that both have.
    ViewFrame at_common_level(const ViewFrame& frame);
    MachineLevel machine_, machine_baseline_;
};

struct ViewEntry : ViewRow {
    std::unique_ptr<View> (*make)();
};

/// The rows of views.def, in order.
const std::vector<ViewEntry>& view_entries();
const ViewEntry* find_view(std::string_view name);

}  // namespace warplens::app
