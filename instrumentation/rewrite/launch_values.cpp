#include "instrumentation/rewrite/launch_values.h"

#include <algorithm>
#include <initializer_list>

#include "instrumentation/rewrite/read_only.h"
#include "instrumentation/rewrite/replay_form.h"
#include "ptx/opcodes.h"
#include "ptx/value_flow.h"

namespace warplens::instrumentation {

namespace {

using Kind = ReplaySource::Kind;

template <class Step, class Visit>
void for_each_source(Step& step, const Visit& visit) {
    for (auto* source : {&step.first, &step.second, &step.third, &step.guard})
        if (source->kind == Kind::slot) visit(*source);
}

/// Registers that the instruction may set.
void add_results(const ptx::Instruction& instruction, std::vector<std::uint32_t>& results) {
    const ptx::ValueFlow flow = ptx::value_flow(instruction);
    results = flow.written;
    // A call's results and those of bar.red stand in operands that do not count as results.
    const SiteKind kind = ptx::site_kind(instruction);
    if (kind == SiteKind::call || kind == SiteKind::barrier)
        results.insert(results.end(), flow.read.begin(), flow.read.end());
}

}  // namespace

LaunchValues::LaunchValues(Draft& draft) : draft_(draft) {
    if (!draft.options.replay) return;
    const FunctionDraft& entry = draft.functions.front();
    const ptx::Function& function = draft.body_of(entry);
    slots_.assign(function.registers.size(), no_index);
    ReplayNames names;
    names.windows = draft.options.mode != RecordMode::light;
    names.parameter = [&](const std::string& name) -> std::optional<std::uint64_t> {
        for (const Parameter& parameter : draft.numbered.program.parameters)
            if (parameter.name == name) return parameter.offset;
        return std::nullopt;
    };
    // The variables that the recording names are listed already.
    names.symbol = [&](const std::string& name) -> std::optional<std::uint64_t> {
        const auto at = std::ranges::find(draft.plan.symbols, name);
        if (at == draft.plan.symbols.end()) return std::nullopt;
        return static_cast<std::uint64_t>(at - draft.plan.symbols.begin());
    };
    std::vector<bool> set(function.registers.size(), false);
    std::vector<bool> spoiled = set, loaded = set;
    std::vector<std::uint32_t> results;
    const bool loads = draft.options.replay_loads;
    const std::vector<bool> read_only = loads ? read_only_loads(draft) : std::vector<bool>{};
    for (SiteId site = 0; site < draft.numbered.origins.size(); ++site) {
        if (draft.numbered.origins[site].function != entry.index) continue;
        const ptx::Instruction& instruction = draft.instruction(site);
        add_results(instruction, results);
        for (const std::uint32_t reg : results) set[reg] = true;
        if (results.empty()) continue;
        if (auto step = replay_step(function, instruction, names); step && results.size() == 1) {
            step->site = site;
            steps_.push_back(*step);
            continue;
        }
        std::vector<ReplayStep> elements;
        if (loads && read_only[site]) elements = replay_load(function, instruction);
        if (elements.size() != results.size()) elements.clear();
        for (const std::uint32_t reg : results) (elements.empty() ? spoiled : loaded)[reg] = true;
        for (ReplayStep& element : elements) {
            element.site = site;
            steps_.push_back(element);
        }
    }
    std::vector<bool> alone(set.size()), with_loads(set.size());
    for (std::size_t reg = 0; reg < set.size(); ++reg) {
        with_loads[reg] = set[reg] && !spoiled[reg];
        alone[reg] = with_loads[reg] && !loaded[reg];
    }
    known_ = closed(std::move(alone));
    followed_ = closed(std::move(with_loads));
}

std::vector<bool> LaunchValues::closed(std::vector<bool> found) const {
    for (bool changed = true; changed;) {
        changed = false;
        for (const ReplayStep& step : steps_) {
            bool follows = true;
            for_each_source(step, [&](const ReplaySource& source) { follows &= found[source.number]; });
            if (follows || !found[step.result]) continue;
            found[step.result] = false;
            changed = true;
        }
    }
    return found;
}

bool LaunchValues::is_known(std::uint32_t function, std::uint32_t reg) const {
    return function == draft_.functions.front().index && reg < known_.size() && known_[reg];
}

bool LaunchValues::is_followed(std::uint32_t function, std::uint32_t reg) const {
    return function == draft_.functions.front().index && reg < followed_.size() && followed_[reg];
}

std::uint32_t LaunchValues::slot(std::uint32_t reg) {
    if (slots_[reg] == no_index) slots_[reg] = draft_.plan.replay_slots++;
    return slots_[reg];
}

void LaunchValues::finish() {
    const auto is_wanted = [&](const ReplayStep& step) { return slots_[step.result] != no_index; };
    for (bool changed = true; changed;) {
        const std::uint32_t before = draft_.plan.replay_slots;
        for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)  // nearly all come from before
            if (is_wanted(*step))
                for_each_source(*step, [&](const ReplaySource& source) {
                    slot(static_cast<std::uint32_t>(source.number));
                });
        changed = draft_.plan.replay_slots != before;
    }
    for (ReplayStep step : steps_) {
        if (!is_wanted(step)) continue;
        step.result = slots_[step.result];
        for_each_source(step, [&](ReplaySource& source) {
            source.number = slots_[static_cast<std::uint32_t>(source.number)];
        });
        draft_.plan.replay.push_back(step);
    }
}

}  // namespace warplens::instrumentation
