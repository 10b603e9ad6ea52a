// OwnFile: the user's own kernel file while the window works on it — its text on the disk and
// as it is being edited, the launch that was chosen for it, and the watch over it and its headers. It turns
// all that into a KernelFile and hands it to the Session; a text that cannot be launched becomes the
// session's failure, and the last good picture stays. Files are read on the UI thread only when they have
// changed; they are compiled on another thread. app/window/editor_pane.h and launch_form.h draw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/find_entries.h"
#include "app/session/latest_task.h"
#include "app/session/own_file/file_watch.h"
#include "app/session/own_file/program_list_task.h"
#include "app/session/own_file/program_task.h"
#include "app/session/session.h"
#include "instrumentation/catalog/launch_draft.h"

namespace warplens::app {

/// The options with which the file was opened.
struct OpenedWith {
    std::vector<std::string> include_paths, defines;
    /// Puts the launch of the command line's flags into the file; empty: there are none. What is still
    /// missing is entered in the form. It asks for the file's kernels only with `finds_kernel`; they are
    /// found before it is called.
    std::function<Status(instrumentation::KernelFile&, const FindEntries&)> launch;
    bool finds_kernel = false;
    int program_launch = 0;  // run the program up to this launch of the kernel; 0: do not
};

class OwnFile {
  public:
    /// `wake` is called from other threads when poll() has something to take.
    OwnFile(Session& session, FindEntries find_entries, std::function<void()> wake = {});
    ~OwnFile();
    OwnFile(const OwnFile&) = delete;
    OwnFile& operator=(const OwnFile&) = delete;

    /// Reads the file and shows it. The error is the reason why it cannot be read; the previous file then
    /// stays open.
    Status open(const std::string& path, OpenedWith with = {});
    /// A new file at `path` from the template, opened. It must not exist.
    Status create(const std::string& path);
    /// A copy of the kernel with no file of its own, to be edited.
    void copy(const instrumentation::KernelFile& kernel);
    /// Puts in a text that is not saved, as it was left in an earlier session.
    void restore_text(std::string text);
    /// Forgets the file; the session keeps showing what it shows.
    void close();

    bool is_open() const { return open_; }
    /// The session shows this file, and not a kernel of the catalogue.
    bool is_shown() const;
    void show();
    bool is_copy() const { return copy_; }
    const std::string& path() const { return path_; }
    std::string name() const;  // "my_kernel.cu", "copy of saxpy"
    /// False of machine code (a .cubin), whose bytes are not text: it is launched and not changed.
    bool is_editable() const;
    const std::string& text() const { return text_; }
    /// Grows when the text was changed by anything but edit().
    std::uint64_t text_version() const { return text_version_; }
    bool is_changed() const { return open_ && text_ != saved_; }
    /// It was changed on the disk while there were changes here; see keep_mine() and reload().
    bool is_changed_outside() const { return changed_outside_; }

    /// What was typed, at `seconds` of any clock: it runs once nothing was typed for a moment.
    void edit(std::string text, double seconds);
    void run_now();
    /// Numbers of the text that can be turned like the kernel's parameters; none where the file declares its
    /// own. Valid until the next call.
    const std::vector<instrumentation::ParameterDeclaration>& text_knobs();
    /// Puts another value of one of them into the text, and runs it.
    void turn_number(const std::string& name, const std::string& value);

    /// Over the file itself; a copy needs save_as. Whole or not at all.
    Status save();
    Status save_as(const std::string& path);
    void keep_mine() { changed_outside_ = false; }
    Status reload();

    /// Once a frame. `seconds` is edit()'s clock. True when something has changed.
    bool poll(double seconds);
    /// Seconds until poll() must be called even if nothing happens; 0: it need not be.
    double due_in(double seconds) const;

    /// The launch must be entered in the form, or is being changed. Where host code of the file launches its
    /// kernel and all of it follows, nobody is asked: the kernel runs so, as on the command line.
    bool asks_for_launch() const { return asking_ && is_shown() && !looks_for_launch(); }
    /// It has just been opened, and its kernels are looked for.
    bool looks_for_launch() const {
        return (runs_when_found_ || choosing_) && is_shown() && finding_entries();
    }
    void ask_for_launch();
    void stop_asking() { asking_ = false; }
    /// The kernels to choose from; empty during the search.
    const std::vector<instrumentation::EntryFacts>& entries() const { return entries_; }
    bool finding_entries() const { return entries_task_.running(); }
    instrumentation::LaunchDraft& draft() { return draft_; }
    void choose_entry(const std::string& name);

    /// Without a runner no program is run.
    void set_program_runner(RunProgram run) { program_.set_runner(std::move(run)); }
    /// There is host code that could be run.
    bool has_program() const;
    /// Runs the host code in the background up to launch program_number() of the draft's kernel; then that
    /// launch with the program's inputs is used.
    void run_program();
    /// Runs all of the host code in the background, for the list of its kernels.
    void set_program_lister(ListProgram run) { program_list_.set_runner(std::move(run)); }
    bool may_list_program() const { return has_program() && program_list_.possible() && !entries_.empty(); }
    void list_program();
    void cancel_list() { program_list_.cancel(); }
    /// As run_program(), of another kernel of the list and this launch of it, from 1.
    void open_launch(const std::string& symbol, std::uint32_t number);
    ProgramListState program_list() const;
    /// From 1.
    int program_number() const { return program_number_; }
    void set_program_number(int number) { program_number_ = std::max(number, 1); }
    bool runs_program() const { return program_.running(); }
    /// The launch in use is the program's own.
    bool is_programs_launch() const { return launch_ && launch_ == programs_; }
    /// Why the last run gave nothing; empty: it did.
    const std::string& program_failure() const { return program_failure_; }
    /// What was entered for a file that declares no launch; null: nothing yet, or what the host code says.
    const instrumentation::LaunchDraft* entered() const {
        const bool differs = draft_ != followed_.value_or(instrumentation::LaunchDraft());
        return open_ && !declared_ && !draft_.entry.empty() && differs ? &draft_ : nullptr;
    }
    /// The host code's launch, while the kernel runs with it; an edit of the host code changes it. Null: the
    /// launch is another one.
    const instrumentation::LaunchDraft* followed() const {
        return open_ && !declared_ && launch_ && launch_ == followed_ ? &*followed_ : nullptr;
    }
    bool uses_draft() const { return launch_ == draft_; }
    /// As it was left in an earlier session.
    void restore_draft(instrumentation::LaunchDraft draft, bool in_use);
    /// Runs with the draft from now on.
    void use_draft();
    /// Writes the draft into the text as its header; it is not saved yet.
    void keep_draft_in_text(double seconds);
    bool has_header() const { return declared_; }

    /// A sentence for the status line; empty: none. Taken once.
    std::string take_notice();

  private:
    using KernelFile = instrumentation::KernelFile;

    enum class HostLaunch : std::uint8_t { read_again, as_read };  // as_read: entries_ are the text's
    void rebuild(HostLaunch launch = HostLaunch::read_again);
    void follow_includes();
    void find_entries(std::shared_ptr<const KernelFile> kernel);
    void take_entries();
    void take_launch(instrumentation::LaunchDraft fresh);
    void take_file_changes();
    void take_program();
    void follow_knobs();
    void run_program(const std::optional<WantedArgument>& argument);
    std::string text_with_numbers(const std::string& besides = {}) const;

    Session& session_;
    std::function<void()> wake_;
    OpenedWith with_;
    bool open_ = false, copy_ = false, changed_outside_ = false, declared_ = false;
    std::string path_, text_, saved_, notice_;
    std::shared_ptr<const KernelFile> kernel_;  // as it was last handed to the session
    std::optional<double> typed_at_;
    bool asking_ = false, runs_when_found_ = false;
    bool choosing_ = false;  // the kernels are looked for so that OpenedWith::launch can choose one
    std::uint64_t text_version_ = 0;
    std::vector<instrumentation::EntryFacts> entries_;
    instrumentation::LaunchDraft draft_, guess_;
    std::optional<instrumentation::LaunchDraft> launch_;    // in use
    std::optional<instrumentation::LaunchDraft> followed_;  // the host code's, as it was last read
    std::shared_ptr<const KernelFile> asked_;               // whose kernels are looked for

    std::optional<instrumentation::LaunchDraft> programs_;  // the launch that a run of the program gave
    ProgramInputs inputs_;                                  // of that run
    std::map<std::string, TextNumber> numbers_;             // of the text, by argument: with which it ran
    std::optional<WantedArgument> wanted_;  // of the run under way, or of one that was in vain
    std::string program_failure_;
    int program_number_ = 1;

    FindEntries find_entries_;
    struct TextKnobs {
        std::string text;                          // that they are of
        std::shared_ptr<const KernelFile> kernel;  // whose parameters are no numbers of the text
        std::vector<instrumentation::ParameterDeclaration> knobs;
    };
    TextKnobs text_knobs_;
    LatestTask<Entries> entries_task_;
    ProgramTask program_;
    ProgramListTask program_list_;
    FileWatch watch_;
};

}  // namespace warplens::app
