#include "app/capture/svg/draw_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/capture/svg/forms.h"
#include "app/capture/svg/triangles.h"
#include "app/capture/svg/words.h"

namespace warplens::app::svg {
namespace {

int channel(ImU32 colour, int shift) { return static_cast<int>((colour >> shift) & 0xff); }

ImU32 mean_colour(std::span<const ImU32> colours) {
    ImU32 mean = 0;
    for (const int shift : {0, 8, 16, 24}) {
        int sum = 0;
        for (const ImU32 colour : colours) sum += channel(colour, shift);
        mean |= static_cast<ImU32>(sum / static_cast<int>(colours.size())) << shift;
    }
    return mean;
}

bool is_visible(ImU32 colour) { return channel(colour, IM_COL32_A_SHIFT) > 0; }

bool is_opaque(ImU32 colour) { return channel(colour, IM_COL32_A_SHIFT) == 255; }

Rect grown(Rect box, float by) {
    return {{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
}

Rect bounds_of(std::span<const Line> lines) {
    Rect box{lines.front().points.front(), lines.front().points.front()};
    for (const Line& line : lines)
        for (const ImVec2 point : line.points)
            box = {{std::min(box.min.x, point.x), std::min(box.min.y, point.y)},
                   {std::max(box.max.x, point.x), std::max(box.max.y, point.y)}};
    return box;
}

Rect bounds_of(const Shape& shape) {
    if (const auto* rect = std::get_if<Rect>(&shape.form)) return grown(*rect, shape.stroke / 2);
    if (const auto* circle = std::get_if<Circle>(&shape.form))
        return grown({circle->centre, circle->centre}, circle->radius + shape.stroke / 2);
    return grown(bounds_of(std::get<Path>(shape.form).lines), shape.stroke / 2);
}

/// One segment across a box, for a hatch; nothing for anything else.
std::optional<ImVec2> slope_of(const Shape& shape) {
    const auto* path = std::get_if<Path>(&shape.form);
    if (!path || shape.stroke <= 0) return std::nullopt;
    const Line& line = path->lines.back();
    if (line.closed || line.points.size() != 2) return std::nullopt;
    const ImVec2 way{line.points[1].x - line.points[0].x, line.points[1].y - line.points[0].y};
    const float length = std::hypot(way.x, way.y);
    return ImVec2{way.x / length, way.y / length};
}

/// Reads one draw list into one layer.
class LayerReader {
  public:
    LayerReader(const ImDrawList& list, const GlyphIndex& glyphs, ImVec2 origin, Layer& layer)
        : list_(list), glyphs_(glyphs), origin_(origin), layer_(layer) {}

    void read() {
        for (const ImDrawCmd& command : list_.CmdBuffer) {
            if (command.UserCallback || command.ElemCount == 0) continue;
            if (command.GetTexID() != ImGui::GetIO().Fonts->TexID) continue;
            const ImVec4 clip = command.ClipRect;
            const Rect visible{{clip.x - origin_.x, clip.y - origin_.y},
                               {clip.z - origin_.x, clip.w - origin_.y}};
            if (!(visible == clip_)) finish();
            clip_ = visible;
            vertices_ = list_.VtxBuffer.Data + command.VtxOffset;
            for (const Outline& outline :
                 outlines_of({list_.IdxBuffer.Data + command.IdxOffset, command.ElemCount}))
                read(outline);
        }
        finish();
    }

  private:
    void read(const Outline& outline) {
        if (outline.rings.empty()) return;
        std::vector<std::vector<ImVec2>> rings;
        std::vector<ImU32> colours;
        for (const auto& ring : outline.rings) {
            rings.emplace_back();
            for (const unsigned index : ring) {
                rings.back().push_back(
                    {vertices_[index].pos.x - origin_.x, vertices_[index].pos.y - origin_.y});
                colours.push_back(vertices_[index].col);
            }
        }
        if (std::ranges::none_of(colours, is_visible)) return;
        if (outline.is_quad()) {
            if (read_glyph(outline.rings.front(), colours.front())) return;
            if (read_gradient(rings.front(), colours)) return;
        }
        const ImU32 colour = mean_colour(colours);
        if (outline.is_quad())
            if (const auto segment = segment_of(rings.front())) return add_segment(*segment, colour);
        finish();
        Shape shape{.form = Path{}, .colour = colour};
        if (rings.size() == 1) {
            shape.form = form_of(std::move(rings.front()));
        } else {
            auto& lines = std::get<Path>(shape.form).lines;
            for (auto& ring : rings) {
                for (ImVec2& point : ring) point = snapped(point);
                lines.push_back({std::move(ring), true});
            }
        }
        add(std::move(shape));
    }

    bool read_glyph(std::span<const unsigned> corners, ImU32 colour) {
        ImDrawVert quad[4];
        for (int i = 0; i < 4; ++i) {
            quad[i] = vertices_[corners[static_cast<std::size_t>(i)]];
            quad[i].pos = {quad[i].pos.x - origin_.x, quad[i].pos.y - origin_.y};
        }
        if (quad[0].uv.x == quad[2].uv.x) return false;  // a plain colour is one point of the atlas
        const auto glyph = glyphs_.find(quad);
        if (!glyph) return false;
        finish_segments();
        if (colour != words_colour_) finish_words();
        if (!words_.add(*glyph)) {
            finish_words();
            words_.add(*glyph);
        }
        words_colour_ = colour;
        return true;
    }

    /// A rectangle that runs from one colour to another along an axis.
    bool read_gradient(std::span<const ImVec2> corners, std::span<const ImU32> colours) {
        if (std::ranges::all_of(colours, [&](ImU32 colour) { return colour == colours.front(); }))
            return false;
        const auto rect = rect_of(corners);
        if (!rect || corners[0].x != rect->min.x || corners[0].y != rect->min.y) return false;
        const bool clockwise = corners[1].y == corners[0].y;
        const ImU32 right = colours[clockwise ? 1 : 3], below = colours[clockwise ? 3 : 1];
        Shape shape{.form = *rect, .colour = colours[0]};
        if (colours[0] == below && right == colours[2]) shape.to_right = right;
        else if (colours[0] == right && below == colours[2]) shape.to_bottom = below;
        else return false;
        finish();
        add(std::move(shape));
        return true;
    }

    void add_segment(const Segment& segment, ImU32 colour) {
        finish_words();
        if (!segments_.empty() && (colour != segments_colour_ || !goes_on(segments_.back(), segment)))
            finish_segments();
        segments_.push_back(segment);
        segments_colour_ = colour;
    }

    void finish_segments() {
        if (segments_.empty()) return;
        const std::vector<Segment> segments = std::exchange(segments_, {});
        const bool straight = std::ranges::all_of(segments, &Segment::along_an_axis);
        // ImGui draws rectangles and horizontal lines alike; a rectangle is more useful in a figure.
        const bool level = std::ranges::all_of(segments, [](const Segment& segment) {
            return segment.from.y == segment.to.y && segment.from.x < segment.to.x;
        });
        if (level) {
            for (const Segment& segment : segments) {
                const float half = segment.width / 2;
                add({.form = Rect{snapped(ImVec2{segment.from.x, segment.from.y - half}),
                                  snapped(ImVec2{segment.to.x, segment.to.y + half})},
                     .colour = segments_colour_});
            }
            return;
        }
        Line line = line_of(segments);
        Shape shape{.form = Path{}, .colour = segments_colour_, .stroke = snapped(segments.front().width)};
        if (line.closed && (straight || line.points.size() >= 8))
            shape.form = form_of(std::move(line.points));
        else std::get<Path>(shape.form).lines.push_back(std::move(line));
        add(std::move(shape));
    }

    void finish_words() {
        if (words_.empty()) return;
        const Rect bounds = words_.bounds();
        add({.form = words_.take(), .colour = words_colour_}, bounds);
    }

    void finish() {
        finish_segments();
        finish_words();
    }

    void add(Shape shape) {
        settle_on_pixels(shape);
        const Rect bounds = bounds_of(shape);
        add(std::move(shape), bounds);
    }

    /// Leaves out what the clip rectangle hides, cuts rectangles to it, and marks what has to be clipped.
    void add(Shape shape, const Rect& bounds) {
        const Rect& clip = clip_;
        if (bounds.max.x <= clip.min.x || bounds.min.x >= clip.max.x || bounds.max.y <= clip.min.y ||
            bounds.min.y >= clip.max.y)
            return;
        const bool inside = bounds.min.x >= clip.min.x && bounds.max.x <= clip.max.x &&
                            bounds.min.y >= clip.min.y && bounds.max.y <= clip.max.y;
        if (!inside) {
            if (auto* rect = plain_rect(shape)) {
                rect->min = {std::max(rect->min.x, clip.min.x), std::max(rect->min.y, clip.min.y)};
                rect->max = {std::min(rect->max.x, clip.max.x), std::min(rect->max.y, clip.max.y)};
            } else {
                shape.clip = clip;
            }
        }
        if (!joins_last(shape)) layer_.shapes.push_back(std::move(shape));
    }

    /// The parallel strokes of a hatch become one path, and rectangles of one colour side by side one
    /// rectangle.
    bool joins_last(Shape& shape) {
        if (layer_.shapes.empty()) return false;
        Shape& last = layer_.shapes.back();
        reach_under(last, shape);
        if (shape.colour != last.colour || shape.stroke != last.stroke || shape.clip != last.clip)
            return false;
        if (auto* rect = plain_rect(last); rect && plain_rect(shape)) return joins(*rect, *plain_rect(shape));
        const auto slope = slope_of(shape), before = slope_of(last);
        if (!slope || !before || slope->x * slope->y == 0) return false;
        if (std::abs(slope->x - before->x) > 0.02f || std::abs(slope->y - before->y) > 0.02f) return false;
        std::get<Path>(last.form).lines.push_back(std::move(std::get<Path>(shape.form).lines.front()));
        return true;
    }

    static Rect* plain_rect(Shape& shape) {
        auto* rect = std::get_if<Rect>(&shape.form);
        const bool plain =
            rect && rect->rounding == 0 && shape.stroke == 0 && !shape.to_right && !shape.to_bottom;
        return plain ? rect : nullptr;
    }

    static bool stands_beside(const Rect& last, const Rect& next) {
        return last.max.x == next.min.x && last.min.y == next.min.y && last.max.y == next.max.y;
    }
    static bool stands_below(const Rect& last, const Rect& next) {
        return last.max.y == next.min.y && last.min.x == next.min.x && last.max.x == next.max.x;
    }
    static bool joins(Rect& last, const Rect& next) {
        const bool joined = stands_beside(last, next) || stands_below(last, next);
        if (joined) last.max = next.max;
        return joined;
    }

    /// Where two opaque rectangles of different colours meet, a renderer that softens edges would let the
    /// background show through: the first one extends a little below the second.
    static void reach_under(Shape& last, Shape& next) {
        Rect *first = plain_rect(last), *second = plain_rect(next);
        if (!first || !second || last.colour == next.colour) return;
        if (!is_opaque(last.colour) || !is_opaque(next.colour)) return;
        constexpr float most = 0.5f;
        if (stands_beside(*first, *second)) first->max.x += std::min(most, second->max.x - second->min.x);
        else if (stands_below(*first, *second)) first->max.y += std::min(most, second->max.y - second->min.y);
    }

    const ImDrawList& list_;
    const GlyphIndex& glyphs_;
    ImVec2 origin_;
    Layer& layer_;
    const ImDrawVert* vertices_ = nullptr;
    Rect clip_;
    WordsBuilder words_;
    ImU32 words_colour_ = 0;
    std::vector<Segment> segments_;
    ImU32 segments_colour_ = 0;
};

}  // namespace

Drawing read_draw_data(const ImDrawData& data, std::span<const LoadedFace> faces) {
    Drawing drawing;
    drawing.width = data.DisplaySize.x;
    drawing.height = data.DisplaySize.y;
    for (const LoadedFace& face : faces) drawing.faces.push_back({face.name, face.families, face.weight});
    const GlyphIndex glyphs(faces);
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        Layer layer;
        if (list._OwnerName) layer.name = list._OwnerName;
        LayerReader(list, glyphs, data.DisplayPos, layer).read();
        if (!layer.shapes.empty()) drawing.layers.push_back(std::move(layer));
    }
    return drawing;
}

}  // namespace warplens::app::svg
