// OwnFile's part for the program that the file is: run for the inputs that it gives to its kernel.
#include <algorithm>
#include <utility>

#include "app/pipeline/program_number.h"
#include "app/session/own_file/own_file.h"
#include "core/number_text.h"

namespace warplens::app {

namespace instr = instrumentation;

bool OwnFile::has_program() const {
    return open_ && !copy_ && !declared_ && is_editable() && program_.possible() &&
           text_.find("main") != std::string::npos;
}

/// With the numbers of the runs before, but for those of the argument `besides`.
std::string OwnFile::text_with_numbers(const std::string& besides) const {
    std::string text = text_;
    for (const auto& [argument, number] : numbers_)
        if (argument != besides) text = with_number(text, number).value_or(text);
    return text;
}

/// A knob that changes the length of what the program put into a buffer needs another run of it.
void OwnFile::follow_knobs() {
    if (!is_programs_launch() || !is_shown() || !has_program()) return;
    for (const auto& [name, value] : session_.turned_knobs()) {
        const auto row = std::ranges::find(programs_->arguments, name, &instr::DraftArgument::name);
        if (row == programs_->arguments.end() || row->value == value) continue;
        const std::string buffer = length_from(*programs_, name);
        const auto now = number_from<std::uint64_t>(row->value), then = number_from<std::uint64_t>(value);
        if (buffer.empty() || !now || !then) continue;
        const auto number = numbers_.find(name);
        const WantedArgument wanted{name, number == numbers_.end() ? *now : number->second.before, *then};
        if (wanted_ && wanted_->name == name && wanted_->value == *then) return;
        session_.refuse(
            fmt::format("`{}` gives the length of `{}`, which holds what the program put there: "
                        "the program runs again with {} …",
                        name, buffer, value));
        run_program(wanted);
        return;
    }
    if (!program_.running()) wanted_.reset();
}

void OwnFile::run_program() { run_program({}); }

void OwnFile::run_program(const std::optional<WantedArgument>& argument) {
    const auto entry = std::ranges::find(entries_, draft_.entry, &instr::EntryFacts::name);
    if (!has_program() || !asked_ || entry == entries_.end()) return;
    program_failure_.clear();
    wanted_ = argument;
    ProgramInputsRequest request;
    request.kernel = *asked_;
    request.kernel.source = text_with_numbers(argument ? argument->name : "");
    // Back to the text's own number: a run of the text as it is.
    if (argument && argument->before != argument->value) request.argument = argument;
    request.entries = entries_;
    request.symbol = entry->symbol;
    request.number = static_cast<std::uint32_t>(program_number_);
    program_.start(std::move(request));
}

void OwnFile::list_program() {
    if (!may_list_program() || !asked_) return;
    ProgramInputsRequest request;
    request.kernel = *asked_;
    request.kernel.source = text_;
    request.entries = entries_;
    program_list_.start(std::move(request));
}

void OwnFile::open_launch(const std::string& symbol, std::uint32_t number) {
    const auto entry = std::ranges::find(entries_, symbol, &instr::EntryFacts::symbol);
    if (!has_program() || entry == entries_.end()) return;
    if (entry->name != draft_.entry) choose_entry(entry->name);
    set_program_number(static_cast<int>(number));
    run_program();
}

ProgramListState OwnFile::program_list() const {
    ProgramListState state;
    state.possible = may_list_program();
    state.running = program_list_.running();
    state.launches = program_list_.launches();
    state.failure = program_list_.failure();
    state.edited = state.launches && program_list_.source() != text_;
    if (open_) state.file = name();
    const auto entry = std::ranges::find(entries_, draft_.entry, &instr::EntryFacts::name);
    if (entry != entries_.end() && is_shown()) state.shown_symbol = entry->symbol;
    state.opening = program_.running();
    if (state.opening || is_programs_launch())
        state.shown_launch = static_cast<std::uint32_t>(program_number_);
    return state;
}

void OwnFile::take_program() {
    auto answer = program_.take();
    if (!answer) return;
    if (!*answer) {
        program_failure_ = notice_ = answer->error().message;
        if (wanted_) session_.refuse(program_failure_);
        return;
    }
    inputs_ = std::move(**answer);
    if (wanted_) numbers_.erase(wanted_->name);
    if (wanted_ && inputs_.number) numbers_.emplace(wanted_->name, *inputs_.number);
    notice_ = inputs_.said.empty() ? "" : inputs_.said.front();
    draft_ = inputs_.draft;
    programs_ = draft_;
    asking_ = false;
    use_draft();
}

}  // namespace warplens::app
