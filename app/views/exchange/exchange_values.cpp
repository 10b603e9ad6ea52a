#include "app/views/exchange/exchange_values.h"

#include <fmt/format.h>

#include <cstdlib>

#include "app/pipeline/values/value_words.h"
#include "app/session/values_task.h"

namespace warplens::app {
namespace {

bool gives_mask(analysis::CollectiveKind kind) {
    return kind == analysis::CollectiveKind::match || kind == analysis::CollectiveKind::ballot;
}

/// "0x00000011" of "17": a mask of lanes is not a number. What is not an integer stays.
std::string mask_text(const std::string& text) {
    if (text.empty() || text.find_first_not_of("-0123456789") != text.npos) return text;
    return fmt::format("{:#010x}", static_cast<std::uint32_t>(std::strtoll(text.c_str(), nullptr, 10)));
}

}  // namespace

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
    if (gives_mask(bands.back().kind))
        for (std::string& text : rows_.back()) text = mask_text(text);
}

}  // namespace warplens::app
