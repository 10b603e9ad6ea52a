// RequestView: the frame that Banks and Sectors share — which request is shown, the bar that chooses it,
// title, arithmetic of a lane, the area of the drawing and the provenance line. Each view draws its own
// contents.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/ui/ink.h"
#include "app/views/shared/access_choice.h"
#include "app/views/shared/access_words.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"

namespace warplens::app {

class RequestView : public View {
  protected:
    struct Subject {
        MemoryKind kind;
        const char* name;       // "banks": of the hit boxes
        const char* unit;       // what a site costs: "wavefronts"
        const char* requests;   // "shared-memory request"
        const char* elsewhere;  // where to look when the kernel makes none
    };
    explicit RequestView(const Subject& subject) : subject_(subject) {}

    /// The scene has changed: forget data of the old one.
    virtual void forget_scene() = 0;
    /// Another request is shown; `words_` already describes it.
    virtual void derive_request(const trace::Trace& trace, const AccessChoice& choice) = 0;
    /// What the baseline's corresponding request costs, in the subject's unit, and the name of that run.
    struct Before {
        std::uint64_t cost = 0;
        std::string_view run;
    };
    virtual std::uint64_t cost_of(const trace::Trace& trace, std::uint64_t access) const = 0;
    /// `before`: the title compares with it.
    virtual void draw_title(const Ink& ink, float width, bool compact,
                            const std::optional<Before>& before) const = 0;
    /// What the request costs. Its words are followed by the arithmetic.
    virtual Headline headline_of() const = 0;
    /// The line under the title: of the lane under the mouse or chosen, or of none (-1).
    virtual std::string arithmetic(const trace::Trace& trace, int lane) const = 0;
    virtual void draw_parts(ViewFrame& frame, const Ink& ink, const Box& body) = 0;
    /// How high the parts are drawn, at least `room`: what is higher than a low pane is scrolled to.
    virtual float body_height(const Ink&, const Box& room) { return room.height(); }

    /// The baseline's request that corresponds to the shown one: that of the same instruction, else its
    /// worst. None without a baseline, or if the baseline makes no such request.
    std::optional<AccessChoice> baseline_request(const ViewFrame& frame);
    /// "32 → 1"; "4" without a baseline, or where both cost as much.
    static std::string cost_words(const std::optional<Before>& before, std::uint64_t cost);
    /// "line 54"; where it is of another warp than the shown request, "line 54, block 181 warp 3".
    std::string baseline_place(const ViewFrame& frame, const AccessChoice& request) const;

    const RequestIndex& index() const { return (*requests_)[subject_.kind]; }
    std::optional<AccessChoice> shown_;  // never empty while a request is drawn
    AccessWords words_;                  // of the shown request

  private:
    ViewNeeds needs() const final { return {.counts = true}; }
    std::string cannot_compare(const ViewFrame& frame) final;
    void draw_scene(ViewFrame& frame) final;
    void take_scene(const Scene& scene);
    void draw_request(ViewFrame& frame, const AccessChoice& choice);

    Subject subject_;
    std::shared_ptr<const RequestIndexes> requests_;
    RunIdentity run_;
    Counterpart counterpart_;
};

}  // namespace warplens::app
