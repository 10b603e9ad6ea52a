// Markdown: prose with paragraphs, lists, `code`, *emphasis*, tables and blocks of code, laid out in the
// current ImGui window. Links are words; pictures and raw HTML are left out.
#pragma once

#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

struct MarkdownType {
    ImFont* words = nullptr;
    ImFont* code = nullptr;
    ImU32 colour = 0;
};

/// From the cursor on, `width` pixels wide; takes its room as one item.
void markdown(const Theme& theme, const MarkdownType& type, std::string_view text, float width);

}  // namespace warplens::app
