// The drawing of the streams view: variants of the same work, one above the other on one scale, each with a
// lane for the host, one for graph launches and one per stream.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/time/activity_report.h"
#include "app/ui/ink.h"
#include "app/ui/legend.h"
#include "core/provenance.h"
#include "trace/activity.h"

namespace warplens::app {

/// Data derived once from the activities.
struct StreamsPicture {
    explicit StreamsPicture(std::vector<trace::Activity> activities,
                            Provenance provenance = Provenance::measured);

    Provenance provenance = Provenance::measured;  // or modelled
    std::vector<trace::Activity> activities;
    std::vector<analysis::ActivityFigures> figures;
    std::string sentence;
    std::string_view saved_word = "saved";  // "170 µs saved"
    std::vector<std::size_t> reference;  // of each: the activity that its saving is counted from, or itself
    std::vector<double> ends_us;         // of each
    std::vector<double> done_us;         // the end of each activity's last span
    double end_us = 0;                   // of the scale: of all but those that are far slower than the first

  private:
    friend StreamsPicture picture_of_runs(const struct StreamsOfRun&, const struct StreamsOfRun&, Provenance,
                                          bool);
    StreamsPicture() = default;
    void find_ends(double first_end_us);
};

/// Of two runs that are compared.
struct StreamsOfRun {
    std::string_view name, kernel;
    const std::vector<trace::Activity>& activities;  // at least one
};
/// Both are of one kernel, and their variants correspond one by one.
bool same_variants(const StreamsOfRun& before, const StreamsOfRun& after);
/// Each variant of the run before, with that of the run after below it; without `all` the fastest of each.
StreamsPicture picture_of_runs(const StreamsOfRun& before, const StreamsOfRun& after, Provenance provenance,
                               bool all);

/// A span of one of the activities.
struct StreamsSpot {
    std::size_t activity = 0, span = 0;
    bool any = false;
};

/// The fill of a kind's spans: copies in and out, kernels, graph launches.
ImU32 activity_colour(const Theme& theme, trace::ActivityKind kind);
/// The sign of a copy beside its colour: an arrow the way the data go; empty: no copy.
std::string_view activity_symbol(trace::ActivityKind kind);
/// The kinds that occur, waiting, and the host.
std::vector<LegendEntry> activity_legend(const Theme& theme, const StreamsPicture& picture);

class StreamsDrawing {
  public:
    StreamsDrawing(const Ink& ink, const StreamsPicture& picture, const Box& area);

    /// The span at a place of the screen.
    StreamsSpot spot_at(ImVec2 at) const;
    /// `marked` is outlined, together with the corresponding spans of the other activities.
    void draw(const StreamsSpot& marked) const;
    /// In pixels.
    float lane_height() const { return lane_height_; }
    /// Of the drawing whose lanes are as low as they can be; in an area that is lower, they overlap.
    float least_height() const { return least_height_; }

  private:
    struct Lane {
        enum class Kind { host, graphs, stream } kind = Kind::stream;
        int stream = 0;
        Box box;  // of the plot alone
        std::string name;
    };
    struct Section {
        Box heading;
        std::vector<Lane> lanes;
    };

    void lay_out(Box area);
    float x_of(double us) const;
    /// Where a span is drawn: its entire time in the lane.
    Box box_of(const Lane& lane, double begin_us, double end_us) const;
    static bool lies_in(const trace::ActivitySpan& span, const Lane& lane);
    void draw_heading(std::size_t activity) const;
    void draw_host(const trace::Activity& activity, const Lane& lane) const;
    void draw_spans(std::size_t activity, const Lane& lane, const StreamsSpot& marked) const;
    void draw_saving(std::size_t activity) const;
    void draw_axis() const;

    Ink ink_;
    const StreamsPicture& picture_;
    Box plot_, axis_;
    float gutter_ = 0, lane_height_ = 0, least_height_ = 0;
    bool titles_ = true;
    std::vector<Section> sections_;
};

/// "`heron, chunk 3` in stream 1 of `3 streams`", for a card.
std::string spot_sentence(const StreamsPicture& picture, const StreamsSpot& spot);
/// Its numbers, one per line.
std::vector<std::string> spot_lines(const StreamsPicture& picture, const StreamsSpot& spot);

}  // namespace warplens::app
