#include "app/scene/index_scene.h"

#include "app/scene/measured_index.h"
#include "app/scene/request_index.h"

namespace warplens::app {

void index_scene(Scene& scene) {
    if (!scene.measured) scene.measured = index_measured(scene.trace);
    if (!scene.requests) scene.requests = index_requests(scene);
}

}  // namespace warplens::app
