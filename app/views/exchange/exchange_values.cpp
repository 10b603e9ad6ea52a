#include "app/views/exchange/exchange_values.h"

#include "app/pipeline/values/value_words.h"
#include "app/session/values_task.h"

namespace warplens::app {

void ExchangeValues::read(const Scene& scene, std::uint32_t warp_record,
                          std::span<const analysis::Collective> bands, const ValuesState* answer) {
    rows_.clear();
    if (!(scene_ == &scene) || warp_ != warp_record) {
        scene_ = &scene;
        warp_ = warp_record;
        question_ = question_of_exchanges(*scene.trace, warp_record);
    }
    if (!answer || answer->generation != scene.generation || !answer->found) return;
    const StepValues& values = *answer->found;
    if (values.state.at.block != question_.at.block || values.state.at.warp != question_.at.warp) return;
    for (const analysis::Collective& band : bands) rows_.push_back(exchanged_texts(values, band.step, false));
    rows_.push_back(exchanged_texts(values, bands.back().step, true));
}

}  // namespace warplens::app
