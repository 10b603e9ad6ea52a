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
