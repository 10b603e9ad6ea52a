// The roofline's drawing: logarithmic axes, the roofs, the points with their trail. Geometry only; the words
// come from app/views/roofline/words.h, and the view chooses what is shown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/roofline.h"
#include "app/ui/ink.h"
#include "core/gpu_spec.h"

namespace warplens::app {

struct RooflinePoint {
    enum class Shape { modelled, measured, requested };
    double intensity = 0;  // FLOP/byte
    double rate = 0;       // FLOP/s
    Shape shape = Shape::modelled;
    std::string label;  // drawn next to it
};

class RooflinePlot {
  public:
    /// Axes wide enough for the roofs and all of `points`, in `box`. `other`: a run on another GPU, whose
    /// roofs are drawn as well; null: none.
    RooflinePlot(const Ink& ink, const Box& box, const analysis::Roofline& roofline, const GpuSpec& gpu,
                 std::span<const RooflinePoint> points, const analysis::Roofline* other = nullptr);

    void draw_axes() const;
    void draw_roofs();
    /// Thinner, with the GPU's name before their figures: "A100: DRAM 1.94 TB/s". Nothing without another
    /// GPU.
    void draw_other_roofs(std::string_view gpu);
    /// Earlier points, oldest first, faded, joined by a line that ends at `now`.
    void draw_trail(std::span<const RooflinePoint> trail, ImVec2 now);
    /// From another run's point to this one's.
    void draw_arrow(const RooflinePoint& from, ImVec2 to);
    /// The settings of that point, if there is room for them.
    void draw_old_label(const RooflinePoint& old);
    /// From the point up to its roof: the possible gain.
    void draw_headroom(const RooflinePoint& point);
    /// Before the roofs are drawn: their labels leave it room.
    void keep_headroom_clear(const RooflinePoint& point);
    void draw_point(const RooflinePoint& point, ImVec2 at);
    /// The same operations over other bytes.
    void draw_link(const RooflinePoint& from, const RooflinePoint& to);
    ImVec2 at(const RooflinePoint& point) const;
    /// The part of the roofs under the mouse: 'm'emory, 'c'ompute, 'l'2, or 0.
    char roof_near(ImVec2 mouse) const;

  private:
    struct LogAxis {
        double low = 1, high = 10;
        float begin = 0, end = 1;  // pixels of low and high
        float at(double value) const;
    };
    double roof(double intensity) const;
    void keep_clear(ImVec2 from, ImVec2 to);  // of words
    bool place_label(ImVec2 anchor, const std::string& words, ImU32 colour, float gap);
    void memory_roof(double bytes_per_second, bool dashed, const std::string& words);

    const Ink& ink_;
    const analysis::Roofline& roofline_;
    const analysis::Roofline* other_;
    std::string gpu_;
    double l2_;  // bytes per second; 0: unknown
    Box plot_;
    LogAxis x_, y_;
    std::vector<Box> taken_;  // where labels are
};

/// For a kernel without floating-point operations: bytes per second compared with the GPU's limits, as bars.
/// `trail` and `requested` are where the first and the second bar ended with other settings; only their
/// rates, in bytes per second, and labels are used.
void draw_bandwidth_bars(const Ink& ink, Box box, const analysis::Roofline& roofline, const GpuSpec& gpu,
                         std::span<const RooflinePoint> trail, std::span<const RooflinePoint> requested);

}  // namespace warplens::app
