// Lesson type: the font sizes of a lesson, for one reader at a desk or for a lecture hall.
#pragma once

#include "app/ui/markdown.h"
#include "app/ui/theme.h"

namespace warplens::app {

struct LessonType {
    MarkdownType prose;
    ImFont* heading = nullptr;
    ImFont* label = nullptr;  // small notes: "Question 2 of 7"
    ImFont* code = nullptr;   // of a listing
};

inline LessonType lesson_type(const Theme& theme, bool presenting) {
    const Fonts& fonts = theme.fonts;
    if (presenting)
        return {{fonts.title, fonts.code_title, theme.text}, fonts.headline, fonts.words, fonts.code_title};
    return {{fonts.words, fonts.code, theme.text}, fonts.title, fonts.small, fonts.code};
}

}  // namespace warplens::app
