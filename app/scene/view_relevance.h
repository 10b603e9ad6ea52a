// View relevance: which views have something to show of a Scene, and in which order their tabs stand: the
// kernel's own first, then those with most to show, last the empty ones.
#pragma once

#include <vector>

#include "app/scene/scene.h"
#include "app/scene/view_list.h"

namespace warplens::app {

/// False when the view would draw an empty state. Of a Scene without a trace: true.
bool has_content(const Scene& scene, const ViewRow& view);

struct RelevantView {
    const ViewRow* view = nullptr;
    bool has_content = true;
};
/// All views of the place. `scene` may be null: then in the order of views.def.
std::vector<RelevantView> views_by_relevance(const Scene* scene, ViewPlace place);

}  // namespace warplens::app
