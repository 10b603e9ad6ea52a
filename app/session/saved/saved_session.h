// Saved session: what the window was working on, as the text of a file that the next start restores. It names
// kernels, knobs and files and holds the changes that were not saved; runs are executed again. The
// reader refuses anything but a complete session of sensible size, in one sentence.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/engine.h"
#include "app/scene/selection.h"
#include "core/provenance.h"
#include "core/result.h"
#include "instrumentation/catalog/launch_draft.h"

namespace warplens::app {

/// Of a baseline: the text of an own file as it was run, so that it can be run again after the file changed.
struct SavedText {
    std::string path;      // absolute; where its headers are looked for
    std::string source;    // as it was compiled; of machine code (a .cubin) its bytes
    std::string declared;  // with the launch as its header, of machine code the header alone; empty: `source`
                           // declares its launch
    std::vector<std::string> include_paths, defines;

    friend bool operator==(const SavedText&, const SavedText&) = default;
};

/// A kernel of the catalogue with its setting; as a baseline also an own file's text or a recorded trace.
struct SavedRun {
    std::string kernel;
    std::map<std::string, std::string> knobs;  // those that were turned
    std::string gpu;                           // empty: the default
    Engine engine = Engine::simt;
    std::string name = {};  // of a baseline that a person named; empty: what it is called by itself
    std::optional<SavedText> text = std::nullopt;  // of a baseline; `kernel` is empty then
    std::string trace = {};                        // of a baseline: the .wltrace, absolute

    friend bool operator==(const SavedRun&, const SavedRun&) = default;
};

/// Machine code of more bytes is not kept: the whole session is written again when something in it changes.
constexpr std::size_t most_kept_machine_code = std::size_t{4} << 20;

struct SavedSession {
    SavedRun run;  // of an own file, `kernel` is empty
    struct OwnText {
        std::string path;  // absolute; of a copy the path of the kernel it was made from
        bool copy = false;
        bool shown = false;                                  // and not the kernel of `run`
        std::optional<std::string> unsaved;                  // the text with changes that are not on the disk
        std::optional<instrumentation::LaunchDraft> launch;  // as entered for a file without a header
        bool launch_in_use = false;                          // it was run with
        friend bool operator==(const OwnText&, const OwnText&) = default;
    };
    std::optional<OwnText> own;
    std::optional<Spot> chosen;    // empty: what a run selects by itself
    Level level = Level::machine;  // of the times
    Level counts = Level::ptx;
    std::string centre_view, filled_view;
    bool editing = false;
    std::optional<WantedCycles> cycles;  // in sight in the timeline; empty: all
    std::vector<SavedRun> baselines;
    std::optional<std::size_t> compared;  // which baseline
    std::set<std::string> folded_subjects;
    std::vector<std::string> recent_files;  // absolute, newest first

    friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

std::string to_json(const SavedSession& saved);
/// The error is what is wrong with the text, without the file's name.
Result<SavedSession> read_saved_session(std::string_view json);

/// $XDG_STATE_HOME/warplens/session.json, else ~/.local/state/…; empty where neither is known.
std::string session_path();
/// Nothing when there is no such file. The error is a sentence that names the file.
Result<std::optional<SavedSession>> load_session(const std::string& path);
/// Whole or not at all.
Status save_session(const SavedSession& saved, const std::string& path);

}  // namespace warplens::app
