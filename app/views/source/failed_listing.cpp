#include "app/views/source/failed_listing.h"

#include "app/ui/text.h"
#include "app/views/source/listing.h"

namespace warplens::app {

void FailedListing::draw(ViewFrame& frame) {
    const FailedSource& failed = *frame.failed;
    if (text_ != failed.text || marks_ != failed.lines) {
        text_ = failed.text;
        marks_ = failed.lines;
        listing_.lines = code_lines(text_);
        for (const FailedSource::Line& mark : marks_) {
            if (mark.line == 0 || mark.line > listing_.lines.size()) continue;
            CodeLine& line = listing_.lines[mark.line - 1];
            line.marked = true;
            line.note = mark.words;
        }
        state_ = {};
    }
    const Theme& theme = frame.theme;
    ImVec2 size = ImGui::GetContentRegionAvail();
    text_item(theme.fonts.words, theme.error,
              fit_text(theme.fonts.words, "The text that failed: " + failed.file, size.x));
    size.y -= text_height(theme.fonts.words) + ImGui::GetStyle().ItemSpacing.y;
    // The line is brought into sight as a chosen one is.
    std::vector<std::uint32_t> shown;
    if (!marks_.empty()) shown.push_back(marks_.front().line);
    code_pane(theme, "failed", size, listing_, {}, shown, {}, frame.interactive, state_);
}

}  // namespace warplens::app
