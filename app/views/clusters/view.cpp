// Clusters: which block of a cluster reads, writes and updates which block's shared memory, as a matrix of
// ranks with exact counts, and the instructions that do it.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "analysis/memory/cluster_traffic.h"
#include "app/scene/level_of_time.h"
#include "app/ui/empty_state.h"
#include "app/ui/number.h"
#include "app/ui/stepper.h"
#include "app/ui/text.h"
#include "app/views/clusters/detail.h"
#include "app/views/clusters/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"
#include "core/cluster.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using analysis::ClusterCell;

class ClustersView : public View {
  private:
    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& baseline = *frame.baseline;
        if (before_of_ != frame.baseline) {
            before_of_ = frame.baseline;
            before_clusters_ =
                baseline.trace ? analysis::recorded_clusters(*baseline.trace) : std::vector<std::uint64_t>();
            before_.reset();
        }
        if (!before_clusters_.empty()) return {};
        return fmt::format("{} has no clusters to compare with.", frame.baseline_name);
    }

    /// The baseline's cluster of the same number, or its first.
    void follow_baseline(const ViewFrame& frame) {
        const bool same = std::ranges::binary_search(before_clusters_, traffic_->cluster);
        const std::uint64_t wanted = same ? traffic_->cluster : before_clusters_.front();
        if (!before_ || before_->cluster != wanted)
            before_ = analysis::cluster_traffic(*frame.baseline->trace, wanted);
    }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (!(run_ == RunIdentity(*scene))) {
            run_ = *scene;
            clusters_ = analysis::recorded_clusters(*scene->trace);
            traffic_.reset();
            detail_.reset();
            at_ = 0;
        }
        if (clusters_.empty()) {
            empty_state(frame.theme, "This launch has no clusters.",
                        next_step_of_two(frame, "clusters",
                                         "Add `__cluster_dims__` to the kernel or `cluster` to its header; "
                                         "`cluster_histogram` is an example."));
            return;
        }
        follow_selection(frame);
        draw_title(frame);
        if (frame.interactive && clusters_.size() > 1) draw_stepper(frame);
        draw_figures(frame);
        provenance_line(frame.theme, *scene,
                        fmt::format("{}, one per thread: exact · {}",
                                    only_to_others(*scene)
                                        ? "accesses to other blocks (a block's own look like any other)"
                                        : "accesses through the cluster window",
                                    to_string(level_of_counts(*scene))));
    }

    /// Machine code does not show which of a block's accesses to its own memory go through the cluster.
    static bool only_to_others(const Scene& scene) { return level_of_counts(scene) == Level::machine; }

    /// The cluster of the chosen warp, else the one shown before.
    void follow_selection(ViewFrame& frame) {
        const trace::Trace& trace = *frame.scene->trace;
        const std::uint32_t chosen = frame.selection.chosen.warp_record;
        if (chosen < trace.warps.size() && chosen != followed_) {
            const std::uint64_t cluster = linear_cluster(trace.warps[chosen].block, trace.launch.geometry);
            at_ = static_cast<std::size_t>(std::ranges::lower_bound(clusters_, cluster) - clusters_.begin());
        }
        followed_ = chosen;
        at_ = std::min(at_, clusters_.size() - 1);
        if (!traffic_ || traffic_->cluster != clusters_[at_])
            traffic_ = analysis::cluster_traffic(trace, clusters_[at_]);
    }

    void draw_title(ViewFrame& frame) {
        const ClusterCell all = traffic_->all(), others = traffic_->to_others();
        const std::string who =
            fmt::format("Cluster {} of {}, {} blocks", grouped(traffic_->cluster),
                        grouped(clusters_of(frame.scene->trace->launch.geometry).count()), traffic_->ranks());
        if (all.requests == 0) {
            title_line(frame.theme, fmt::format("{}: no thread accesses another block's shared memory", who));
            return;
        }
        const std::string share = percent(double(others.accesses()) / double(all.accesses()));
        if (only_to_others(*frame.scene)) {
            title_line(frame.theme, fmt::format("{}: {} to other blocks' shared memory{}", who,
                                                counted(all.accesses(), "access", "accesses"),
                                                change_words(frame, all, share)));
            headline_with_room(frame.theme, {grouped(all.accesses()), "accesses to other blocks", ""});
            return;
        }
        title_line(frame.theme,
                   fmt::format("{}: {} to shared memory through the cluster, {} of them to another block{}",
                               who, counted(all.accesses(), "access", "accesses"), share,
                               change_words(frame, all, share)));
        headline_with_room(frame.theme, {share, "to another block", "of the accesses to shared memory"});
    }

    /// "; PAD=0: 24 accesses, 75 % of them": of a run beside this one.
    std::string change_words(const ViewFrame& frame, const ClusterCell& now, const std::string& share) {
        if (!frame.baseline) return {};
        follow_baseline(frame);
        const ClusterCell all = before_->all(), others = before_->to_others();
        if (all.accesses() == 0) return fmt::format("; {} has none", frame.baseline_name);
        const std::string was = percent(double(others.accesses()) / double(all.accesses()));
        if (all.accesses() == now.accesses() && was == share)
            return fmt::format("; the same in {}", frame.baseline_name);
        return fmt::format("; {}: {}, {} of them", frame.baseline_name,
                           counted(all.accesses(), "access", "accesses"), was);
    }

    void draw_stepper(ViewFrame& frame) {
        StepperLook look;
        look.name = "cluster";
        look.caption = "cluster";
        const std::string value = grouped(clusters_[at_]), widest = grouped(clusters_.back());
        look.value = value;
        look.widest = widest;
        look.help = "The recorded cluster to show.";
        look.can_go_down = at_ > 0;
        look.can_go_up = at_ + 1 < clusters_.size();
        at_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at_) + stepper(frame.theme, look));
        if (traffic_->cluster != clusters_[at_])
            traffic_ = analysis::cluster_traffic(*frame.scene->trace, clusters_[at_]);
        ImGui::Dummy({0, 4 * frame.theme.fonts.scale});
    }

    void draw_figures(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        const ImVec2 origin = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        room.y -= provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        room.y = std::max(room.y, 160 * scale);
        const float least = clusters_matrix_least_height(theme, *traffic_);
        float lines = clusters_lines_height(theme, *traffic_);
        // A low pane scrolls; a small picture leaves the instructions out.
        if (frame.interactive) room.y = std::max(room.y, least + lines);
        else if (room.y < least + lines) lines = 0;
        const Box whole{origin.x, origin.y, origin.x + room.x, origin.y + room.y - lines};
        if (frame.baseline) {
            draw_both(frame, whole);
            if (lines > 0)
                draw_cluster_lines(*ImGui::GetWindowDrawList(), theme,
                                   {origin.x, whole.y1, origin.x + room.x, origin.y + room.y}, *traffic_,
                                   frame.scene->trace->program);
            ImGui::Dummy(room);
            return;
        }
        derive_detail(frame);
        Box matrix = whole, near;
        if (detail_ && room.x > 820 * scale) {
            near = matrix.take_right(
                room.x - std::min(clusters_matrix_width(theme, *traffic_, whole.height()), room.x * 0.5f));
            near.take_left(28 * scale);
        }
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const auto cell = draw_cluster_matrix(
            list, theme, matrix,
            {*traffic_, detail_ ? std::optional(detail_->spot) : std::nullopt, frame.interactive});
        if (cell) choose(frame, *cell);
        if (near.width() > 0) draw_near(frame, list, near);
        if (lines > 0)
            draw_cluster_lines(list, theme, {origin.x, matrix.y1, origin.x + room.x, origin.y + room.y},
                               *traffic_, frame.scene->trace->program);
        ImGui::Dummy(room);
    }

    /// The matrices of both runs, with one scale of colours.
    void draw_both(ViewFrame& frame, Box whole) {
        const Theme& theme = frame.theme;
        follow_baseline(frame);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const Ink ink{&list, theme};
        const LegendEntry entries[] = {
            every_cluster_cell_differs(*before_, *traffic_)
                ? LegendEntry{theme.amount(0.6), "color: accesses, on one scale for both; every cell differs"}
                : change_entry(theme, "the other run")};
        const Box foot = whole.take_bottom(legend_size(theme, entries, whole.width()).y + ink.px(6));
        RunBoxes boxes = boxes_of_runs(ink, whole, ink.px(300));
        const auto heading = [&](Box& box, std::string_view name, const analysis::ClusterTraffic& traffic) {
            const ClusterCell all = traffic.all(), others = traffic.to_others();
            const std::string blocks = fmt::format("{} blocks", traffic.ranks());
            if (all.accesses() == 0) {
                run_heading(ink, box, name, {blocks + ", no access", "no access"}, theme.text_dim);
                return;
            }
            const std::string share = percent(double(others.accesses()) / double(all.accesses()));
            run_heading(ink, box, name,
                        {fmt::format("{}, {} to others, {}", blocks,
                                     counted(others.accesses(), "access", "accesses"), share),
                         fmt::format("{}, {} to others", blocks, share), share + " to others"},
                        theme.text_dim);
        };
        heading(boxes.before, frame.baseline_name, *before_);
        heading(boxes.after, frame.scene_name, *traffic_);
        draw_cluster_matrix(list, theme, boxes.before,
                            {*before_, std::nullopt, false, &*traffic_, "cluster before"});
        const auto cell = draw_cluster_matrix(list, theme, boxes.after,
                                              {*traffic_, chosen_cell(frame), frame.interactive, &*before_});
        if (cell) choose(frame, *cell);
        ImGui::SetCursorScreenPos({foot.x0, foot.y0 + ink.px(4)});
        legend(theme, entries, foot.width());
        ImGui::SetCursorScreenPos(whole.min());
    }

    void draw_near(ViewFrame& frame, ImDrawList& list, Box near) {
        const Theme& theme = frame.theme;
        const trace::Trace& trace = *frame.scene->trace;
        const Box upper = near.take_top(near.height() * 0.55f);
        near.take_top(12 * theme.fonts.scale);
        const Spot& chosen = frame.selection.chosen;
        const int lane =
            draw_cluster_request(list, theme, upper, trace, *traffic_, *detail_,
                                 chosen.access == detail_->access ? chosen.lane : -1, frame.interactive);
        draw_cluster_words(list, theme, near, trace, *traffic_, *detail_, frame.interactive);
        if (lane < 0) return;
        Spot spot = spot_of(trace, detail_->access);
        spot.lane = lane;
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    /// The detail: the chosen request and its cell; without one the busiest cell, and an access to another
    /// block before one to the block's own memory.
    void derive_detail(const ViewFrame& frame) {
        std::optional<ClusterSpot> spot = chosen_cell(frame);
        const bool asked = spot.has_value();
        if (!asked) {
            std::pair<bool, std::uint64_t> most{false, 0};
            for (std::uint32_t who = 0; who < traffic_->ranks(); ++who)
                for (std::uint32_t whose = 0; whose < traffic_->ranks(); ++whose) {
                    const std::pair here{who != whose, traffic_->cell(who, whose).accesses()};
                    if (here.second == 0 || here <= most) continue;
                    most = here;
                    spot = ClusterSpot{who, whose};
                }
        }
        if (!spot) {
            detail_.reset();
            return;
        }
        if (!detail_ || detail_->spot != *spot || detailed_ != traffic_->cluster) {
            detailed_ = traffic_->cluster;
            detail_ = ClusterDetail{
                *spot, 0,
                analysis::cluster_words(*frame.scene->trace, traffic_->cluster, spot->who, spot->whose)};
        }
        detail_->access =
            asked ? frame.selection.chosen.access : traffic_->cell(spot->who, spot->whose).first_access;
    }

    /// The cell that the chosen request belongs to.
    std::optional<ClusterSpot> chosen_cell(const ViewFrame& frame) const {
        const trace::Trace& trace = *frame.scene->trace;
        const std::uint64_t access = frame.selection.chosen.access;
        if (access >= trace.accesses.size() || trace.accesses[access].space != Space::shared_cluster)
            return std::nullopt;
        const LaunchGeometry& geometry = trace.launch.geometry;
        const std::uint64_t block = trace::warp_of_access(trace, access).block;
        if (linear_cluster(block, geometry) != traffic_->cluster) return std::nullopt;
        const trace::AccessRecord& record = trace.accesses[access];
        int lane = frame.selection.chosen.lane;
        if (lane < 0 || (record.mask.bits >> lane & 1) == 0) lane = record.mask.lowest();
        const trace::Addresses addresses = trace::addresses_of(trace, record);
        return ClusterSpot{place_in_cluster(block, geometry).rank,
                           rank_of(addresses[static_cast<std::size_t>(lane)])};
    }

    static Spot spot_of(const trace::Trace& trace, std::uint64_t access) {
        Spot spot;
        spot.access = access;
        spot.site = trace.accesses[access].site;
        spot.warp_record =
            static_cast<std::uint32_t>(&trace::warp_of_access(trace, access) - trace.warps.data());
        spot.source_line = trace.program.sites[spot.site].line;
        return spot;
    }

    /// The first request from one block to the other, and its first lane that goes there.
    void choose(ViewFrame& frame, ClusterSpot cell) {
        const trace::Trace& trace = *frame.scene->trace;
        const std::uint64_t access = traffic_->cell(cell.who, cell.whose).first_access;
        if (access >= trace.accesses.size()) return;
        const trace::AccessRecord& record = trace.accesses[access];
        const trace::Addresses addresses = trace::addresses_of(trace, record);
        Spot spot = spot_of(trace, access);
        for_each_lane(record.mask, [&](int lane) {
            if (spot.lane < 0 && rank_of(addresses[static_cast<std::size_t>(lane)]) == cell.whose)
                spot.lane = lane;
        });
        frame.selection.chosen = spot;
    }

    RunIdentity run_;
    std::vector<std::uint64_t> clusters_;
    std::size_t at_ = 0;
    std::uint32_t followed_ = no_index;
    std::optional<analysis::ClusterTraffic> traffic_;
    std::optional<ClusterDetail> detail_;
    std::uint64_t detailed_ = 0;  // cluster of `detail_`
    SceneIdentity before_of_;
    std::vector<std::uint64_t> before_clusters_;
    std::optional<analysis::ClusterTraffic> before_;
};

}  // namespace

std::unique_ptr<View> make_clusters_view() { return std::make_unique<ClustersView>(); }

}  // namespace warplens::app
