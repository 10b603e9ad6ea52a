// OwnFile's part for the program that the file is: run for the inputs that it gives to its kernel.
#include <algorithm>
#include <utility>

#include "app/session/own_file/own_file.h"

namespace warplens::app {

namespace instr = instrumentation;

bool OwnFile::has_program() const {
    return open_ && !copy_ && !declared_ && is_editable() && program_.possible() &&
           text_.find("main") != std::string::npos;
}

void OwnFile::run_program() {
    const auto entry = std::ranges::find(entries_, draft_.entry, &instr::EntryFacts::name);
    if (!has_program() || !asked_ || entry == entries_.end()) return;
    program_failure_.clear();
    ProgramInputsRequest request;
    request.kernel = *asked_;
    request.kernel.source = text_;
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
        return;
    }
    inputs_ = std::move(**answer);
    notice_ = inputs_.said.empty() ? "" : inputs_.said.front();
    draft_ = inputs_.draft;
    programs_ = draft_;
    asking_ = false;
    use_draft();
}

}  // namespace warplens::app
