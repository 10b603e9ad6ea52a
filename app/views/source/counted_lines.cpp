#include "app/views/source/counted_lines.h"

#include "app/scene/own_source.h"

namespace warplens::app {

void CountedLines::follow(const Scene& scene, Level counts) {
    level_ = counts;
    run_ = counts == Level::machine ? machine_.follow(scene, counts) : &scene;
    if (counted_ == run_->trace) return;
    counted_ = run_->trace;
    const Program& program = counted_->program;
    file_ = own_source(program);
    cuda_ = analysis::source_and_inlined_lines(*run_->report, program);
    inlined_ = analysis::inlined_places(program);
    ptx_ = analysis::ptx_lines(*run_->report, program);
}

}  // namespace warplens::app
