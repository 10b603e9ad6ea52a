// What the frame keeps for the next start, and how it takes up what an earlier one kept.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/window/frame.h"
#include "core/whole_path.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/catalog/header_text.h"

namespace warplens::app {
namespace {

bool is_of(const Catalogue& catalogue, const instrumentation::KernelFile* kernel) {
    return std::ranges::any_of(catalogue, [&](const auto& other) { return other.get() == kernel; });
}

bool holds_machine_code(const instrumentation::KernelFile& kernel) {
    return kernel.language == instrumentation::Language::cubin;
}

/// Its text, since the file may be another by the next start.
SavedText saved_text(const instrumentation::KernelFile& kernel) {
    SavedText text{whole_path(kernel.path), kernel.source, {}, kernel.include_paths, kernel.defines};
    if (holds_machine_code(kernel)) {
        text.declared = instrumentation::header_text(kernel);
        return text;
    }
    const auto alone = instrumentation::read_kernel_file(kernel.path, kernel.source);
    if (!alone || !alone->has_header) text.declared = instrumentation::with_header(kernel);
    return text;
}

/// Of a baseline: a kernel of the catalogue, an own file, or a recorded trace without a kernel.
SavedRun saved_run(const Catalogue& catalogue, const Baseline& baseline) {
    const Scene& scene = *baseline.scene;
    SavedRun run{"", {}, scene.gpu ? std::string(scene.gpu->name) : "", scene.engine};
    run.trace = baseline.file;
    if (!scene.kernel) return run;
    if (is_of(catalogue, scene.kernel.get())) run.kernel = scene.kernel->name;
    else run.text = saved_text(*scene.kernel);
    for (const auto& parameter : scene.kernel->parameters)
        if (const auto set = scene.parameters.find(parameter.name);
            set != scene.parameters.end() && set->second != parameter.fallback)
            run.knobs[parameter.name] = instrumentation::to_string(set->second);
    return run;
}

std::shared_ptr<const instrumentation::KernelFile> kernel_of(const SavedText& text) {
    // Bytes have no header; a text beside them has.
    std::filesystem::path path = text.path;
    const bool machine_code = instrumentation::is_machine_code(text.path);
    if (machine_code) path.replace_extension(".cu");
    auto read =
        instrumentation::read_kernel_file(path.string(), text.declared.empty() ? text.source : text.declared);
    if (!read || !read->has_header) return nullptr;
    if (machine_code) read->language = instrumentation::Language::cubin;
    read->path = text.path;
    read->source = text.source;
    read->include_paths = text.include_paths;
    read->defines = text.defines;
    return std::make_shared<const instrumentation::KernelFile>(std::move(*read));
}

/// The run as the catalogue of today takes it; nothing when it has no such kernel.
std::optional<RunRequest> request_of(const Catalogue& catalogue, const SavedRun& run) {
    const auto listed =
        std::ranges::find_if(catalogue, [&](const auto& other) { return other->name == run.kernel; });
    const auto kernel = run.text ? kernel_of(*run.text) : listed == catalogue.end() ? nullptr : *listed;
    if (!kernel) return std::nullopt;
    RunRequest request{kernel, run.knobs, run.gpu, 0, run.engine};
    std::erase_if(request.overrides, [&](const auto& knob) {
        return !instrumentation::resolve_parameters(*kernel, {{knob.first, knob.second}});
    });
    if (!run.gpu.empty() && !find_gpu(run.gpu)) request.gpu.clear();
    return request;
}

void save_own(const OwnFile& own, SavedSession& saved) {
    if (!own.is_open()) return;
    saved.own = SavedSession::OwnText{};
    saved.own->path = own.path();
    saved.own->copy = own.is_copy();
    saved.own->shown = own.is_shown();
    if (own.is_changed()) saved.own->unsaved = own.text();
    if (const auto* launch = own.entered()) {
        saved.own->launch = *launch;
        saved.own->launch_in_use = own.uses_draft();
    }
}

void restore_own(const SavedSession::OwnText& saved, OwnFile& own, FileDialogs& dialogs) {
    if (saved.copy || !own.open(saved.path)) {
        // Without its file the text goes on as a copy, so that nothing that was typed is lost.
        if (!saved.unsaved) {
            if (!saved.copy) dialogs.say("The file of the last session no longer exists: " + saved.path);
            return;
        }
        instrumentation::KernelFile kernel;
        kernel.name = std::filesystem::path(saved.path).stem().string();
        kernel.path = saved.path;
        own.copy(kernel);
        if (!saved.copy)
            dialogs.say("The file of the last session no longer exists; its text is kept here: " +
                        saved.path);
    }
    if (saved.unsaved) own.restore_text(*saved.unsaved);
    if (saved.launch) own.restore_draft(*saved.launch, saved.launch_in_use);
}

}  // namespace

SavedSession Frame::saved() const {
    SavedSession saved;
    const instrumentation::KernelFile* kernel = session_.kernel();
    if (kernel && is_of(session_.catalogue(), kernel)) saved.run.kernel = kernel->name;
    saved.run.knobs = session_.turned_knobs();
    saved.run.gpu = session_.gpu();
    saved.run.engine = session_.engine();
    saved.level = state.level;
    saved.counts = state.counts;
    if (own_) save_own(*own_, saved);
    if (session_.scene() && !session_.selects_default()) saved.chosen = session_.selection.chosen;
    saved.centre_view = state.centre_view;
    saved.filled_view = state.filled_view;
    saved.editing = state.editing;
    saved.cycles = session_.selection.shown_cycles;
    for (const Baseline& baseline : session_.baselines.all()) {
        if (!baseline.scene->kernel && baseline.file.empty()) continue;  // there is nothing to run again
        if (baseline.scene->kernel && holds_machine_code(*baseline.scene->kernel) &&
            baseline.scene->kernel->source.size() > most_kept_machine_code)
            continue;
        if (session_.baselines.chosen() == &baseline) saved.compared = saved.baselines.size();
        saved.baselines.push_back(saved_run(session_.catalogue(), baseline));
        if (baseline.renamed()) saved.baselines.back().name = baseline.name;
    }
    saved.folded_subjects = state.folded_subjects;
    saved.recent_files = dialogs.recent;
    return saved;
}

void Frame::restore(const SavedSession& saved) {
    dialogs.recent = saved.recent_files;
    state.folded_subjects = saved.folded_subjects;
    state.level = saved.level;
    state.counts = saved.counts;
    if (own_ && saved.own) restore_own(*saved.own, *own_, dialogs);
    const bool own_shown = own_ && saved.own && saved.own->shown && own_->is_open();
    if (own_shown) {
        session_.set_gpu(saved.run.gpu);
        session_.set_knobs(saved.run.knobs);
    } else if (const auto request = request_of(session_.catalogue(), saved.run)) {
        session_.open_setting(*request);
    } else if (!saved.run.kernel.empty()) {
        dialogs.say("The catalogue has no kernel " + saved.run.kernel + " any more.");
    }
    std::vector<KeptRun> baselines;
    std::optional<std::size_t> compared;
    for (std::size_t i = 0; i < saved.baselines.size(); ++i) {
        const SavedRun& run = saved.baselines[i];
        auto request = request_of(session_.catalogue(), run);
        if (!request && run.trace.empty()) continue;
        if (saved.compared == i) compared = baselines.size();
        baselines.push_back({request.value_or(RunRequest{}), run.name, run.trace});
    }
    session_.restore_baselines(std::move(baselines), compared);
    keeps_view_ = own_shown;
    follow_kernel();
    if (find_view(saved.centre_view)) state.centre_view = saved.centre_view;
    if (find_view(saved.filled_view)) state.filled_view = saved.filled_view;
    state.editing = saved.editing && own_;
    history.show_after_run(session_, saved.chosen, saved.cycles);
}

}  // namespace warplens::app
