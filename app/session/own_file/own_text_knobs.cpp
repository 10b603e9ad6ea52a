// OwnFile's part for the numbers of its text that are turned like knobs.
#include "app/pipeline/text_numbers.h"
#include "app/session/own_file/own_file.h"

namespace warplens::app {

const std::vector<instrumentation::ParameterDeclaration>& OwnFile::text_knobs() {
    const bool has = is_shown() && !declared_ && kernel_->language == instrumentation::Language::cuda &&
                     kernel_->has_header;  // it has a launch
    if (!has) {
        text_knobs_ = {};
    } else if (text_knobs_.kernel != kernel_ || text_knobs_.text != text_) {
        KernelFile now = *kernel_;
        now.source = text_;
        text_knobs_ = {text_, kernel_, app::text_knobs(now)};
    }
    return text_knobs_.knobs;
}

void OwnFile::turn_number(const std::string& name, const std::string& value) {
    auto changed = with_text_number(text_, name, value);
    if (!changed) {
        notice_ = changed.error().message;
        return;
    }
    if (*changed == text_) return;
    text_ = std::move(*changed);
    ++text_version_;
    if (is_programs_launch()) run_program();
    else rebuild();
}

}  // namespace warplens::app
