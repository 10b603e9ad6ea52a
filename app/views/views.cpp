#include "app/views/view.h"

namespace warplens::app {

#define WARPLENS_VIEW(name, title, help, place, subject, content, extra, metric) \
    std::unique_ptr<View> make_##name##_view();
#include "app/scene/views.def"
#undef WARPLENS_VIEW

const std::vector<ViewEntry>& view_entries() {
    static const std::vector<ViewEntry> entries{
#define WARPLENS_VIEW(name, title, help, place, subject, content, extra, metric) \
    {*find_view_row(#name), make_##name##_view},
#include "app/scene/views.def"
#undef WARPLENS_VIEW
    };
    return entries;
}

const ViewEntry* find_view(std::string_view name) {
    for (const ViewEntry& entry : view_entries())
        if (entry.name == name) return &entry;
    return nullptr;
}

}  // namespace warplens::app
