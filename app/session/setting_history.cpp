#include "app/session/setting_history.h"

#include <utility>

#include "app/scene/spot_check.h"

namespace warplens::app {
namespace {

constexpr double seconds_of_one_step = 1;
constexpr std::size_t most_steps = 500;  // of a kernel

/// The one knob in which the two differ; "several" where there are more, empty where there is none.
std::string turned_knob(const std::map<std::string, std::string>& before,
                        const std::map<std::string, std::string>& now) {
    std::string turned;
    const auto differs = [&](const std::string& name, const auto& other, const std::string& value) {
        const auto found = other.find(name);
        if ((found != other.end() && found->second == value) || turned == name) return;
        turned = turned.empty() ? name : "several";
    };
    for (const auto& [name, value] : before) differs(name, now, value);
    for (const auto& [name, value] : now) differs(name, before, value);
    return turned;
}

/// By which steps are kept: of an own file its path.
std::string name_of_kernel(const Session& session) {
    const auto* kernel = session.kernel();
    return !kernel ? "" : kernel->path.empty() ? kernel->name : kernel->path;
}

bool only_the_cycle_differs(Spot before, const Spot& now) {
    before.cycle = now.cycle;
    return before == now;
}

}  // namespace

SettingHistory::Setting SettingHistory::setting_of(const Session& session) {
    return {session.turned_knobs(), session.gpu(), session.selection.chosen};
}

void SettingHistory::follow(Session& session, double seconds, bool playing) {
    restore_selection(session);
    Setting now = setting_of(session);
    const Scene* scene = session.scene();
    const std::uint64_t generation = scene ? scene->generation : 0;
    const std::uint64_t timing = scene ? scene->timing_generation : 0;
    const bool same_scene = std::exchange(scene_, generation) == generation;
    const bool same_timing = std::exchange(timing_, timing) == timing;
    if (const std::string name = name_of_kernel(session); name != kernel_) {
        kernel_ = name;
        if (wanted_ && wanted_->kernel != name) wanted_.reset();
        last_change_.clear();
    } else if (const std::string knob = turned_knob(present_.knobs, now.knobs); !knob.empty()) {
        note(now, "knob " + knob, seconds);
    } else if (now.gpu != present_.gpu) {
        note(now, "gpu", seconds);
    } else if (now.chosen != present_.chosen && same_scene && same_timing && !session.selects_default()) {
        const bool play_head = playing || only_the_cycle_differs(present_.chosen, now.chosen);
        note(now, play_head ? "cycle" : "", seconds);
    }
    present_ = std::move(now);
}

/// `change` names what may be merged with the next of its name; empty: a step of its own.
void SettingHistory::note(const Setting& now, const std::string& change, double seconds) {
    wanted_.reset();
    Steps& steps = steps_[kernel_];
    steps.undone.clear();
    const bool goes_on =
        !change.empty() && change == last_change_ && seconds - changed_at_ < seconds_of_one_step;
    last_change_ = change;
    changed_at_ = seconds;
    if (goes_on && !steps.done.empty()) {
        const Setting& before = steps.done.back();
        // Turned back within the second: nothing is left to undo.
        if (before.knobs == now.knobs && before.gpu == now.gpu && before.chosen == now.chosen)
            steps.done.pop_back();
        return;
    }
    steps.done.push_back(present_);
    if (steps.done.size() > most_steps) steps.done.erase(steps.done.begin());
}

bool SettingHistory::can_undo() const {
    const auto found = steps_.find(kernel_);
    return found != steps_.end() && !found->second.done.empty();
}

bool SettingHistory::can_redo() const {
    const auto found = steps_.find(kernel_);
    return found != steps_.end() && !found->second.undone.empty();
}

void SettingHistory::undo(Session& session) {
    if (can_undo()) step(session, steps_[kernel_].done, steps_[kernel_].undone);
}

void SettingHistory::redo(Session& session) {
    if (can_redo()) step(session, steps_[kernel_].undone, steps_[kernel_].done);
}

void SettingHistory::step(Session& session, std::vector<Setting>& from, std::vector<Setting>& to) {
    to.push_back(setting_of(session));
    Setting setting = std::move(from.back());
    from.pop_back();
    go_to(session, std::move(setting));
}

void SettingHistory::go_to(Session& session, Setting setting) {
    session.set_knobs(std::move(setting.knobs));
    session.set_gpu(setting.gpu);
    wanted_ = Wanted{kernel_, setting.chosen, std::nullopt};
    last_change_.clear();
    restore_selection(session);
    present_ = setting_of(session);
}

/// What was selected belongs to the run of its knobs: its indexes are into that run's trace.
void SettingHistory::restore_selection(Session& session) {
    if (!wanted_ || session.running() || session.modelling()) return;
    const Wanted wanted = *std::exchange(wanted_, std::nullopt);
    if (!session.scene() || session.stale()) return;
    if (wanted.cycles) session.selection.wanted_cycles = wanted.cycles;
    if (!wanted.spot || !is_in(*session.scene(), *wanted.spot)) return;
    session.selection.chosen = present_.chosen = *wanted.spot;
}

void SettingHistory::show_after_run(const Session& session, std::optional<Spot> spot,
                                    std::optional<WantedCycles> cycles) {
    wanted_ = Wanted{name_of_kernel(session), spot, cycles};
}

}  // namespace warplens::app
