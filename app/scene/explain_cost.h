// ExplainCost: what the selected instruction's source line costs in time, and which line costs far more, so
// that nobody repairs a line whose repair does not matter.
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/scene.h"
#include "core/provenance.h"

namespace warplens::app {

struct ExplainedCost {
    std::string sentence;  // of the line, as in Source: a load that was unrolled is one to a person
    std::string waits;     // a sentence: the machine instructions of the line that most of it is for
    std::string dearer;    // a sentence: another line costs at least four times as much; empty: none does
    std::uint32_t dearer_line = 0;
    SiteId dearer_site = no_index;  // of that line, the one that costs most
};

/// All empty without a schedule. Times are of the wanted level where they are known there.
ExplainedCost explain_cost(const Scene& scene, SiteId site, Level wanted);

}  // namespace warplens::app
