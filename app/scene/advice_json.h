// Advice as JSON, for scripts: the `advice` of `report --format json --advice-time SECONDS`.
// docs/report_json.md has the keys.
#pragma once

#include "app/scene/advice.h"
#include "core/json_text.h"

namespace warplens::app {

Json to_json(const Advice& advice);

}  // namespace warplens::app
