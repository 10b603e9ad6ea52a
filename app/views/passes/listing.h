// PassListing: the text after a pass as a listing — added lines highlighted, removed lines crossed out in
// their place, long unchanged stretches folded.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/scene/passes.h"
#include "app/ui/theme.h"

namespace warplens::app {

class PassListing {
  public:
    /// Fills `size` at the cursor. A click on a folded stretch opens it.
    void draw(const Theme& theme, const PassText& pass, ImVec2 size, bool interactive);
    bool folds() const { return folds_; }
    void fold(bool on) {
        folds_ = on;
        rows_.clear();
        opened_.clear();
    }

  private:
    void lay_out(const PassText& pass);

    bool folds_ = true;
    const PassText* of_ = nullptr;
    std::vector<FoldedLine> rows_;       // of PassText::lines
    std::vector<std::uint32_t> opened_;  // first lines of stretches
    std::vector<std::string_view> before_, after_;
};

}  // namespace warplens::app
