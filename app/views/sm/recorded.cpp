#include "app/views/sm/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/title_line.h"
#include "app/views/sm/cursor.h"

namespace warplens::app {
namespace {

constexpr std::uint32_t slot_columns = 4;

struct RecordedSlot {
    std::uint32_t warp = no_index;   // into Measured::warps
    std::uint32_t visit = no_index;  // of the warp; no_index: before its first
    bool waits = false;              // at the barrier before its next visit
};

RecordedSlot slot_of(const MeasuredIndex& index, std::size_t row, std::uint32_t sm, double ns) {
    RecordedSlot slot;
    slot.warp = index.warp_at(row, ns);
    if (slot.warp == no_index) return slot;
    const double cycle = index.cycle_of(sm, ns);
    slot.visit = index.visit_at(slot.warp, cycle);
    const auto visits = index.visits(slot.warp);
    const std::size_t next = slot.visit == no_index ? 0 : slot.visit + std::size_t{1};
    if (next < visits.size())
        slot.waits = visits[next].arrived != trace::no_time && visits[next].arrived <= cycle;
    return slot;
}

std::string what_of(const MeasuredIndex& index, const RecordedSlot& slot) {
    if (slot.waits) return "waits at a barrier";
    if (slot.visit == no_index) return "has begun";
    const std::uint32_t block = index.visits(slot.warp)[slot.visit].basic_block;
    const Site* site = index.first_site(block);
    if (site && site->line != 0) return fmt::format("basic block {}, line {}", block, site->line);
    return fmt::format("basic block {}", block);
}

void draw_recorded_slot(ViewFrame& frame, const Ink& ink, const MeasuredIndex& index,
                        const RecordedSlot& slot, std::uint32_t place, const Box& cell) {
    const Theme& theme = ink.theme;
    if (slot.warp == no_index) {
        ink.hatch(cell, theme.inactive, 6);
        return ink.outline(cell, theme.hairline);
    }
    const ImU32 fill = slot.waits ? theme.state(WarpState::barrier)
                                  : theme.category(static_cast<int>(index.shade_of_warp(slot.warp) % 8));
    ink.fill(cell, fill);
    const std::string who = index.warp_words(slot.warp), what = what_of(index, slot);
    Box room = cell.inset(ink.px(1));
    room.x0 += ink.px(4);
    ink.text_if_fits(room, fmt::format("{} · {}", who, what), theme.fonts.small, theme.text_on(fill),
                     Align::left) ||
        ink.text_if_fits(room, who, theme.fonts.small, theme.text_on(fill), Align::left);
    if (slot.warp == index.warp_of_record(frame.selection.chosen.warp_record))
        ink.outline(cell, theme.selected, ink.px(2));
    hit_box(fmt::format("sm warp {}", slot.warp), cell.min(), cell.max());
    if (!frame.interactive || !ImGui::IsWindowHovered() || !cell.has(ImGui::GetIO().MousePos)) return;
    ink.fill(cell, theme.hovered);
    tooltip_card(theme, fmt::format("{}: {}.", who, what), fmt::format("slot {}", place));
    Spot spot;
    spot.warp_record = index.record_of_warp(slot.warp);
    spot.visit = slot.visit;
    if (spot.warp_record == no_index) return;
    frame.selection.next_hover = spot;
    if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
}

/// Slots 0, 4, 8, … below one another, and so on.
void draw_recorded_slots(ViewFrame& frame, const Ink& ink, const MeasuredIndex& index, std::uint32_t sm,
                         const std::vector<RecordedSlot>& slots, const Box& box) {
    const Theme& theme = ink.theme;
    const std::size_t first = index.sms()[sm].first_row;
    const float gap = ink.px(8), head = text_height(theme.fonts.small) + ink.px(4);
    const float width = (box.width() - gap * (slot_columns - 1)) / slot_columns;
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < slots.size(); ++i)
        most = std::max<std::uint32_t>(most, index.rows()[first + i].slot / slot_columns);
    const float height = std::min((box.height() - head) / static_cast<float>(most + 1), ink.px(30));
    for (std::uint32_t c = 0; c < slot_columns; ++c) {
        const float x = box.x0 + (width + gap) * static_cast<float>(c);
        ink.text({x, box.y0, x + width, box.y0 + head},
                 fmt::format("Slots {}, {}, {}, …", c, c + slot_columns, c + 2 * slot_columns),
                 theme.fonts.small, theme.text_dim);
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::uint32_t place = index.rows()[first + i].slot;
        const float x = box.x0 + (width + gap) * static_cast<float>(place % slot_columns);
        const float y = box.y0 + head + height * static_cast<float>(place / slot_columns);
        draw_recorded_slot(frame, ink, index, slots[i], place, {x, y, x + width, y + height - ink.px(1)});
    }
}

}  // namespace

void RecordedSm::follow(const ViewFrame& frame, std::shared_ptr<const MeasuredIndex> index) {
    const bool first = index_ != index;
    if (first) {
        index_ = std::move(index);
        sm_ = 0;
        ns_ = index_->length_ns() / 2;
        seen_ = {};
    }
    const Spot& chosen = frame.selection.chosen;
    if (!first && chosen == seen_) return;
    seen_ = chosen;
    const std::uint32_t warp = index_->warp_of_record(chosen.warp_record);
    if (warp == no_index) return;
    sm_ = index_->sm_of_warp(warp);
    const trace::MeasuredWarp& of = index_->measured().warps[warp];
    double cycle = (double(of.begin) + of.end) / 2;
    const auto visits = index_->visits(warp);
    if (chosen.visit < visits.size() && visits[chosen.visit].entered != trace::no_time)
        cycle = visits[chosen.visit].entered;
    ns_ = index_->ns_of(sm_, cycle);
}

void RecordedSm::draw(ViewFrame& frame, std::shared_ptr<const MeasuredIndex> index) {
    const Theme& theme = frame.theme;
    if (index->rows().empty()) {
        empty_state(theme, "The recording contains no warps.",
                    "Record at least one block of at least one SM.");
        return;
    }
    follow(frame, std::move(index));
    const MeasuredIndex::Sm& sm = index_->sms()[sm_];
    std::vector<RecordedSlot> slots;
    for (std::size_t row = sm.first_row; row < sm.first_row + sm.rows; ++row)
        slots.push_back(slot_of(*index_, row, sm_, ns_));
    const auto resident = static_cast<std::uint64_t>(
        std::ranges::count_if(slots, [](const RecordedSlot& slot) { return slot.warp != no_index; }));
    title_line(theme, fmt::format("Recorded: `{}` on SM {} at {} ns: {}, {} of them at a barrier",
                                  index_->trace().launch.kernel, sm.sm,
                                  grouped(static_cast<std::uint64_t>(std::max(ns_, 0.0))),
                                  counted(resident, "resident warp"),
                                  std::ranges::count(slots, true, &RecordedSlot::waits)));
    headline(theme, fmt::format("{} of {}", resident, sm.rows), "slots taken",
             "A GPU's clocks record where a warp is, not what the SM's units do: pipes, queues and "
             "scoreboards are shown with the modelled times.");
    const SmMomentOrders orders =
        draw_sm_moment(frame, {std::clamp(ns_, 0.0, index_->length_ns()), index_->length_ns(), "ns"});
    if (orders.move_to) ns_ = *orders.move_to;

    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const std::vector<LegendEntry> entries{{theme.category(0), "in a basic block; one color for each block"},
                                           {theme.state(WarpState::barrier), "waits at a barrier"},
                                           {theme.inactive, "free slot", LegendEntry::Shape::hatched}};
    const PictureArea area = picture_area(ink, entries, 2000);
    hit_box("sm diagram", area.box.min(), area.box.max());
    draw_recorded_slots(frame, ink, *index_, sm_, slots, area.box);
    if (!(frame.selection.chosen == seen_)) seen_ = frame.selection.chosen;
    ImGui::Dummy({area.width, area.height});
    legend(theme, entries);
    provenance_line(theme, *frame.scene,
                    fmt::format("measured · SM {} of {} · {} · slots as the GPU numbers them", sm.sm,
                                index_->measured().sm_count, index_->measured().device));
}

}  // namespace warplens::app
