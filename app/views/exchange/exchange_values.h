// The values that a warp's lanes give to a series of exchanges, once the CPU engine has executed them again.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/warps/collectives.h"
#include "app/pipeline/values/values_question.h"
#include "app/scene/scene.h"
#include "app/scene/scene_identity.h"
#include "core/lane_mask.h"

namespace warplens::app {

struct ValuesState;

/// Of a row of lanes: the value in each; empty: not known.
using ExchangeRow = std::array<std::string, warp_size>;

class ExchangeValues {
  public:
    /// Of a run's warp. A row holds what its lanes give to the exchange below it; the last row, what they
    /// received. Without an answer to question() there are none.
    void read(const Scene& scene, std::uint32_t warp_record, std::span<const analysis::Collective> bands,
              const ValuesState* answer);
    /// To be asked for: all exchanges of the warp.
    const ValuesQuestion& question() const { return question_; }
    const std::vector<ExchangeRow>& rows() const { return rows_; }
    void clear() { rows_.clear(); }

  private:
    SceneIdentity scene_;
    std::uint32_t warp_ = no_index;
    ValuesQuestion question_;
    std::vector<ExchangeRow> rows_;
};

}  // namespace warplens::app
