#include "app/scene/view_list.h"

#include <algorithm>
#include <array>

namespace warplens::app {

std::optional<MemoryKind> memory_kind(ViewSubject subject) {
    switch (subject) {
        case ViewSubject::shared:
            return MemoryKind::shared;
        case ViewSubject::global_or_local:
            return MemoryKind::global_or_local;
        case ViewSubject::atomic:
            return MemoryKind::atomic;
        case ViewSubject::none:
        case ViewSubject::branches:
        case ViewSubject::matrices:
        case ViewSubject::collectives:
        case ViewSubject::values:
        case ViewSubject::clusters:
        case ViewSubject::launch:
        case ViewSubject::occupancy:
        case ViewSubject::roofline:
            break;
    }
    return std::nullopt;
}

std::span<const ViewRow> view_rows() {
    static constexpr std::array rows{
#define WARPLENS_VIEW(name, title, help, place, subject, content, extra, metric)                            \
    ViewRow{                                                                                                \
        #name, title, help, ViewPlace::place, ViewSubject::subject, ViewContent::content, ViewExtra::extra, \
        metric},
#include "app/scene/views.def"
#undef WARPLENS_VIEW
    };
    return rows;
}

const ViewRow* find_view_row(std::string_view name) {
    const auto found = std::ranges::find(view_rows(), name, &ViewRow::name);
    return found == view_rows().end() ? nullptr : &*found;
}

const ViewRow& first_view_at(ViewPlace place) {
    return *std::ranges::find(view_rows(), place, &ViewRow::place);
}

ViewSubject subject_of(std::string_view view) {
    const ViewRow* row = find_view_row(view);
    return row != nullptr ? row->subject : ViewSubject::none;
}

}  // namespace warplens::app
