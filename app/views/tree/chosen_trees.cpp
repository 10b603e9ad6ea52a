#include "app/views/tree/chosen_trees.h"

#include <utility>

namespace warplens::app {

std::uint64_t ChosenTrees::chosen_block(const ViewFrame& frame) {
    const trace::Trace& trace = *frame.scene->trace;
    const std::uint32_t warp = frame.selection.chosen.warp_record;
    return warp < trace.warps.size() ? trace.warps[warp].block : 0;
}

std::shared_ptr<const analysis::CombineTrees> ChosenTrees::of(ViewFrame& frame) {
    const Scene& scene = *frame.scene;
    if (scene_ != &scene || !shown_) {
        scene_ = &scene;
        shown_ = scene.trees;
        asked_ = 0;
        waits_ = false;
    }
    const std::uint64_t wanted = chosen_block(frame);
    if (wanted == 0) {
        asked_ = 0;
        waits_ = false;
        return shown_ = scene.trees;
    }
    if (!scene.trees_of_block || !scene.trees) return shown_;
    if (asked_ != wanted) {
        asked_ = wanted;
        if (!frame.interactive) return shown_ = scene.trees_of_block(wanted, {});
        waits_ = true;
        task_.start([find = scene.trees_of_block, wanted](const auto& attempt) {
            if (auto trees = find(wanted, [&] { return attempt.cancelled(); }))
                attempt.deliver(std::move(trees));
        });
    }
    if (auto found = task_.take(); found && (*found)->block == wanted) {
        shown_ = std::move(*found);
        waits_ = false;
    }
    if (waits_) frame.commands.redraw = true;
    return shown_;
}

}  // namespace warplens::app
