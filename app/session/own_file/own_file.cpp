#include "app/session/own_file/own_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "core/symbol_name.h"
#include "core/whole_file.h"
#include "core/whole_path.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/catalog/doubtful_arguments.h"
#include "instrumentation/catalog/header_text.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/catalog/kernel_template.h"
#include "instrumentation/compile/included_files.h"

namespace warplens::app {

namespace instr = instrumentation;
namespace fs = std::filesystem;

namespace {

/// After this long without typing, the text is tried.
constexpr double seconds_of_pause = 0.4;

}  // namespace

OwnFile::OwnFile(Session& session, FindEntries find_entries, std::function<void()> wake)
    : session_(session),
      wake_(std::move(wake)),
      find_entries_(std::move(find_entries)),
      entries_task_(wake_),
      program_(wake_),
      program_list_(wake_),
      watch_(wake_) {}

OwnFile::~OwnFile() = default;

std::string OwnFile::name() const {
    const std::string file = fs::path(path_).filename().string();
    return copy_ ? "copy of " + fs::path(path_).stem().string() : file;
}

bool OwnFile::is_editable() const { return !instr::is_machine_code(path_); }

bool OwnFile::is_shown() const { return open_ && kernel_ && session_.kernel() == kernel_.get(); }

Status OwnFile::open(const std::string& path, OpenedWith with) {
    // Watched before it is read, so that no change falls between the two.
    watch_.watch({});
    watch_.watch({path});
    auto text = instr::read_kernel_source(path);
    if (!text) {
        if (open_) follow_includes();
        return tl::unexpected(text.error());
    }
    with_ = std::move(with);
    open_ = true;
    copy_ = changed_outside_ = asking_ = choosing_ = false;
    path_ = whole_path(path);
    text_ = saved_ = std::move(*text);
    ++text_version_;
    typed_at_.reset();
    launch_.reset();
    followed_.reset();
    kernel_.reset();
    programs_.reset();
    numbers_.clear();
    wanted_.reset();
    program_.cancel();
    program_list_.forget();
    program_failure_.clear();
    draft_ = {};
    entries_.clear();
    rebuild();
    return {};
}

Status OwnFile::create(const std::string& path) {
    WARPLENS_TRY(instr::create_from_template(path));
    return open(path);
}

void OwnFile::copy(const KernelFile& kernel) {
    with_ = {kernel.include_paths, kernel.defines, {}};
    open_ = copy_ = true;
    changed_outside_ = asking_ = choosing_ = false;
    path_ = whole_path(kernel.path);
    text_ = saved_ = kernel.source;
    ++text_version_;
    typed_at_.reset();
    launch_.reset();
    followed_.reset();
    watch_.watch({});
    rebuild();
}

void OwnFile::restore_text(std::string text) {
    text_ = std::move(text);
    ++text_version_;
    rebuild();
}

void OwnFile::close() {
    open_ = asking_ = changed_outside_ = false;
    kernel_.reset();
    typed_at_.reset();
    watch_.watch({});
}

void OwnFile::show() {
    if (!open_) return;
    kernel_.reset();
    rebuild();
}

/// From the text, and the options it was opened with, to a kernel for the session.
void OwnFile::rebuild(HostLaunch launch) {
    typed_at_.reset();
    follow_includes();
    const bool first = kernel_ == nullptr;
    if (!first && !is_shown()) return;  // another kernel is shown; this one is built when it is shown again
    const auto pass_on = [&](KernelFile file,
                             const std::function<void(std::shared_ptr<const KernelFile>)>& to) {
        kernel_ = std::make_shared<const KernelFile>(std::move(file));
        to(kernel_);
    };
    auto read = instr::read_kernel_file(path_, text_);
    if (!read) {
        if (first) {
            KernelFile bare;
            bare.name = fs::path(path_).stem().string();
            bare.path = path_;
            bare.source = text_;
            bare.has_header = false;
            pass_on(std::move(bare), [&](auto kernel) { session_.hold_kernel(std::move(kernel)); });
        }
        session_.refuse(read.error().message);
        return;
    }
    KernelFile file = std::move(*read);
    file.include_paths = with_.include_paths;
    file.defines = with_.defines;
    declared_ = file.has_header;
    if (followed() && launch == HostLaunch::read_again) {
        if (!first) return find_entries(std::make_shared<const KernelFile>(std::move(file)));
        launch_.reset();
    }
    if (launch_ && !file.has_header) {
        auto doubts = instr::unfilled_variables(file, instr::host_code_of(file));
        std::ranges::move(instr::doubtful_arguments(*launch_), std::back_inserter(doubts));
        file = instr::with_launch(std::move(file), *launch_);
        file.note = fmt::to_string(fmt::join(doubts, ". "));
        if (is_programs_launch()) {
            file.initializers = inputs_.initializers;
            file.variables = inputs_.variables;
            file.note = inputs_.note;
            file.source = text_with_numbers();
        }
    } else if (with_.launch) {
        const bool has_to_find = with_.finds_kernel && !declared_ && launch == HostLaunch::read_again;
        if (has_to_find && find_entries_) {
            choosing_ = true;
            auto asked = std::make_shared<const KernelFile>(file);
            if (first)
                pass_on(std::move(file), [&](auto kernel) { session_.hold_kernel(std::move(kernel)); });
            return find_entries(std::move(asked));
        }
        const auto found = [&](const KernelFile&) -> Entries { return entries_; };
        if (auto status = with_.launch(file, found); !status) {
            notice_ = status.error().message;
            with_.launch = {};
        }
    }
    if (file.has_header) {
        asking_ = asking_ && !declared_;
        pass_on(std::move(file), [&](auto kernel) {
            if (first) session_.open_kernel(std::move(kernel));
            else session_.replace_kernel(std::move(kernel));
        });
        return;
    }
    pass_on(std::move(file), [&](auto kernel) { session_.hold_kernel(std::move(kernel)); });
    ask_for_launch();
    runs_when_found_ = true;
}

void OwnFile::follow_includes() {
    if (copy_) return;
    std::vector<std::string> paths{path_};
    if (!is_editable()) return watch_.watch(paths);
    const auto included = instr::find_included_files(path_, text_, with_.include_paths);
    paths.insert(paths.end(), included.paths.begin(), included.paths.end());
    watch_.watch(paths);
}

void OwnFile::edit(std::string text, double seconds) {
    if (text == text_ || !is_editable()) return;
    text_ = std::move(text);
    typed_at_ = seconds;
}

void OwnFile::run_now() {
    if (open_) rebuild();
}

Status OwnFile::save() {
    if (copy_) return fail("a copy of a catalogue kernel has no file yet: save it under a name of its own");
    if (!is_editable()) return fail("{} is machine code: there is nothing to save", name());
    WARPLENS_TRY(write_regular_file(path_, text_));
    watch_.forget_changes(path_);
    saved_ = text_;
    changed_outside_ = false;
    if (typed_at_) rebuild();
    return {};
}

Status OwnFile::save_as(const std::string& path) {
    if (!is_editable()) return fail("{} is machine code: there is nothing to save", name());
    WARPLENS_TRY(instr::check_new_path(path));
    WARPLENS_TRY(write_whole_file(path, text_));
    copy_ = changed_outside_ = false;
    path_ = whole_path(path);
    saved_ = text_;
    kernel_.reset();
    rebuild();
    return {};
}

Status OwnFile::reload() {
    WARPLENS_TRY(auto text, instr::read_kernel_source(path_));
    changed_outside_ = false;
    text_ = saved_ = std::move(text);
    ++text_version_;
    rebuild();
    return {};
}

void OwnFile::take_file_changes() {
    const std::vector<std::string> paths = watch_.take_changes();
    if (paths.empty() || !open_) return;
    const bool itself = std::ranges::find(paths, path_) != paths.end();
    if (!itself) {  // a header of it
        rebuild();
        return;
    }
    std::error_code error;
    if (!fs::exists(path_, error)) {
        if (is_shown())
            session_.refuse(path_ +
                            (is_editable()
                                 ? " no longer exists; the text is kept here, and saving writes it again"
                                 : " no longer exists"));
        if (is_editable()) saved_.clear();
        return;
    }
    auto text = instr::read_kernel_source(path_);
    if (!text) {
        if (is_shown()) session_.refuse(text.error().message);
    } else if (is_changed() && *text != text_) {
        changed_outside_ = true;
        saved_ = std::move(*text);
    } else {
        saved_ = text_ = std::move(*text);
        ++text_version_;
        rebuild();
    }
}

bool OwnFile::poll(double seconds) {
    const auto before = std::pair{kernel_, text_version_};
    const bool was_finding = entries_task_.running(), was_running = program_.running();
    take_file_changes();
    if (typed_at_ && seconds - *typed_at_ >= seconds_of_pause) rebuild();
    take_entries();
    take_program();
    follow_knobs();
    const bool listed = program_list_.poll();
    return listed || before != std::pair{kernel_, text_version_} || was_finding != entries_task_.running() ||
           was_running != program_.running();
}

double OwnFile::due_in(double seconds) const {
    return typed_at_ ? std::max(0.01, *typed_at_ + seconds_of_pause - seconds) : 0;
}

void OwnFile::ask_for_launch() {
    if (!open_ || !kernel_) return;
    asking_ = true;
    runs_when_found_ = false;
    find_entries(kernel_);
}

void OwnFile::find_entries(std::shared_ptr<const KernelFile> kernel) {
    asked_ = std::move(kernel);
    if (!find_entries_) return;
    entries_task_.start(
        [find = find_entries_, kernel = asked_](const auto& turn) { turn.deliver(find(*kernel)); });
}

void OwnFile::take_entries() {
    auto answer = entries_task_.take();
    if (!answer || (!asking_ && !choosing_ && !followed())) return;
    if (!*answer) {
        session_.refuse(answer->error().message);
        entries_.clear();
        choosing_ = false;
        return;
    }
    session_.refuse("");
    entries_ = std::move(**answer);
    if (std::exchange(choosing_, false)) {
        if (!typed_at_) rebuild(HostLaunch::as_read);  // else the kernels of the new text are looked for
        return;
    }
    if (entries_.empty()) return;
    const std::string entry = draft_.entry.empty() ? asked_->entry : draft_.entry;
    const auto same = [&](const instr::EntryFacts& facts) {
        return facts.name == entry || facts.symbol == entry || plain_name(facts.symbol) == entry;
    };
    const auto found = std::ranges::find_if(entries_, same);
    const bool chooses = entry.empty() || (followed() && found == entries_.end());
    const instr::EntryFacts* const launched =
        chooses ? instr::longest_launched(instr::host_code_of(*asked_, entries_), entries_) : nullptr;
    const instr::EntryFacts& facts = launched                  ? *launched
                                     : found != entries_.end() ? *found
                                                               : entries_.front();
    take_launch(instr::draft_of(*asked_, facts, entries_));
    if (const int number = std::exchange(with_.program_launch, 0)) {
        set_program_number(number);
        run_program();
    }
}

/// As it follows from the text now. Entered values stay as long as the kernel has the same parameters.
void OwnFile::take_launch(instr::LaunchDraft fresh) {
    const bool says_how = !fresh.from.empty() && instr::check_draft(fresh).empty();
    if (followed() && !asking_) {
        draft_ = says_how ? std::move(fresh) : *launch_;
        guess_ = draft_;
        return use_draft();
    }
    const auto kinds = [](const instr::LaunchDraft& draft) {
        std::vector<std::pair<std::string, std::string>> kinds;
        for (const auto& argument : draft.arguments) kinds.emplace_back(argument.name, argument.written_type);
        return kinds;
    };
    const bool entered = draft_.entry == fresh.entry && kinds(draft_) == kinds(fresh) && draft_ != fresh;
    if (entered) return;
    draft_ = std::move(fresh);
    guess_ = draft_;
    if (!says_how || !runs_when_found_) return;
    asking_ = false;
    use_draft();
}

void OwnFile::choose_entry(const std::string& name) {
    const auto found = std::ranges::find(entries_, name, &instr::EntryFacts::name);
    if (found != entries_.end())
        guess_ = draft_ =
            instr::guess_launch(*found, *asked_, instr::host_code_of(*asked_, entries_), entries_);
}

void OwnFile::use_draft() {
    launch_ = draft_;
    if (draft_ == guess_ && !draft_.from.empty()) followed_ = draft_;
    with_.launch = {};
    rebuild(HostLaunch::as_read);
}

void OwnFile::restore_draft(instr::LaunchDraft draft, bool in_use) {
    if (declared_) return;
    draft_ = std::move(draft);
    if (in_use) {
        asking_ = false;
        use_draft();
    }
}

void OwnFile::keep_draft_in_text(double seconds) {
    if (!is_editable()) return;
    auto read = instr::read_kernel_file(path_, text_);
    if (!read) return;
    ++text_version_;
    edit(instr::with_header(instr::with_launch(std::move(*read), draft_)), seconds);
    asking_ = false;
    rebuild();
}

std::string OwnFile::take_notice() { return std::exchange(notice_, {}); }

}  // namespace warplens::app
