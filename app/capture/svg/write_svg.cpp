#include "app/capture/svg/write_svg.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace warplens::app::svg {
namespace {

// Kerning and ligatures would move and change what ImGui, which knows neither, has laid out.
constexpr const char* text_style = "text{white-space:pre;font-kerning:none;font-variant-ligatures:none}";

/// This many neighbours with the same paint become a group, whose paint can be changed in one place.
constexpr std::size_t painted_alike = 3;

/// At most two digits after the point, since shapes come snapped to a twentieth of a pixel.
std::string number(double value) {
    const double rounded = std::round(value * 100) / 100;
    return fmt::format("{}", static_cast<float>(rounded + 0.0));
}

std::string colour_words(ImU32 colour) {
    const auto channel = [&](int shift) { return (colour >> shift) & 0xff; };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT),
                       channel(IM_COL32_B_SHIFT));
}

/// 0 to 1, three digits; 1 when opaque.
double opacity_of(ImU32 colour) {
    return std::round(((colour >> IM_COL32_A_SHIFT) & 0xff) / 255.0 * 1000) / 1000;
}

std::string points_of(const Line& line) {
    std::string words;
    for (const ImVec2 point : line.points)
        words += (words.empty() ? "" : " ") + number(point.x) + "," + number(point.y);
    return words;
}

std::string commands_of(const Path& path) {
    std::string words;
    for (const Line& line : path.lines) {
        char command = 'M';
        for (const ImVec2 point : line.points) {
            words += command + number(point.x) + " " + number(point.y);
            command = 'L';
        }
        if (line.closed) words += 'Z';
    }
    return words;
}

std::size_t characters_in(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

/// "page/view_0A1B2C3D" -> "view": ImGui names a child after its parent, its own name and a number.
std::string plain_name(std::string_view name) {
    name = name.substr(name.find_last_of('/') + 1);
    if (const auto number = name.find_last_of('_');
        number != std::string_view::npos && name.size() - number == 9 &&
        name.find_first_not_of("0123456789ABCDEF", number + 1) == std::string_view::npos)
        name = name.substr(0, number);
    std::string plain;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter) plain += c;
        else if (!plain.empty() && plain.back() != '-') plain += '-';
    }
    return plain.empty() || (plain[0] >= '0' && plain[0] <= '9') ? "layer-" + plain : plain;
}

bool same_paint(const Shape& a, const Shape& b) {
    const bool fades = a.to_right || a.to_bottom || b.to_right || b.to_bottom;
    return !fades && a.colour == b.colour && a.stroke == b.stroke && a.clip == b.clip;
}

/// Each level of the document is indented by one blank.
class Printer : public tinyxml2::XMLPrinter {
  protected:
    void PrintSpace(int depth) override {
        for (int i = 0; i < depth; ++i) Putc(' ');
    }
};

class SvgWriter {
  public:
    explicit SvgWriter(const Drawing& drawing) : drawing_(drawing) {}

    std::string write() {
        xml_.PushHeader(false, true);
        const std::string width = number(drawing_.width), height = number(drawing_.height);
        open("svg");
        put("xmlns", "http://www.w3.org/2000/svg");
        put("width", width);
        put("height", height);
        put("viewBox", "0 0 " + width + " " + height);
        if (!drawing_.title.empty()) put_text_element("title", drawing_.title);
        put_fonts();
        put_definitions();
        open("rect");
        put("id", unique("background"));
        put("width", width);
        put("height", height);
        put("fill", colour_words(drawing_.background));
        close();
        for (const Layer& layer : drawing_.layers) put_layer(layer);
        close();
        return std::string(xml_.CStr(), static_cast<std::size_t>(xml_.CStrSize() - 1));
    }

  private:
    void open(const char* element) { xml_.OpenElement(element); }
    void close() { xml_.CloseElement(); }
    void put(const char* name, const std::string& value) { xml_.PushAttribute(name, value.c_str()); }
    void put(const char* name, double value) { put(name, number(value)); }
    void put_text_element(const char* element, const std::string& text) {
        open(element);
        xml_.PushText(text.c_str());
        close();
    }

    std::string unique(const std::string& id) {
        std::string name = id;
        for (int i = 2; !ids_.insert(name).second; ++i) name = fmt::format("{}-{}", id, i);
        return name;
    }

    void put_definitions() {
        for (const Layer& layer : drawing_.layers)
            for (const Shape& shape : layer.shapes) {
                if (shape.clip) clips_.try_emplace(key(*shape.clip), clips_.size() + 1);
                if (shape.to_right || shape.to_bottom) fades_.try_emplace(key(shape), fades_.size() + 1);
            }
        if (clips_.empty() && fades_.empty()) return;
        open("defs");
        for (const auto& [corners, index] : clips_) {
            open("clipPath");
            put("id", unique(fmt::format("clip-{}", index)));
            open("rect");
            put_rect({{corners[0], corners[1]}, {corners[2], corners[3]}});
            close();
            close();
        }
        for (const auto& [fade, index] : fades_) {
            open("linearGradient");
            put("id", unique(fmt::format("fade-{}", index)));
            put("x2", fade[2] ? 0 : 1);
            put("y2", fade[2] ? 1 : 0);
            put_stop(0, fade[0]);
            put_stop(1, fade[1]);
            close();
        }
        close();
    }

    void put_stop(int offset, ImU32 colour) {
        open("stop");
        put("offset", offset);
        put("stop-color", colour_words(colour));
        if (opacity_of(colour) < 1) put("stop-opacity", fmt::format("{}", opacity_of(colour)));
        close();
    }

    using FontKey = std::pair<std::size_t, float>;  // face and size

    void put_fonts() {
        std::string rules;
        for (const Layer& layer : drawing_.layers)
            for (const Shape& shape : layer.shapes) {
                const auto* words = std::get_if<Words>(&shape.form);
                if (!words) continue;
                const auto [at, is_new] = fonts_.try_emplace({words->face, words->em}, "");
                if (!is_new) continue;
                const DrawnFace& face = drawing_.faces[words->face];
                at->second = unique(face.name.empty() ? "font" : face.name);
                rules += fmt::format(".{}{{font-family:{};font-size:{}px", at->second, face.families,
                                     number(words->em));
                if (face.weight != 400) rules += fmt::format(";font-weight:{}", face.weight);
                rules += "}";
            }
        if (!rules.empty()) put_text_element("style", text_style + rules);
    }

    void put_layer(const Layer& layer) {
        open("g");
        put("id", unique(plain_name(layer.name)));
        const std::span<const Shape> shapes = layer.shapes;
        for (std::size_t i = 0; i < shapes.size();) {
            std::size_t end = i;
            while (end < shapes.size() && shapes[end].clip == shapes[i].clip) ++end;
            const auto& clip = shapes[i].clip;
            if (clip) {
                open("g");
                put("clip-path", fmt::format("url(#clip-{})", clips_.at(key(*clip))));
            }
            put_shapes(shapes.subspan(i, end - i));
            if (clip) close();
            i = end;
        }
        close();
    }

    /// Neighbours that are painted alike as one group.
    void put_shapes(std::span<const Shape> shapes) {
        for (std::size_t i = 0; i < shapes.size();) {
            std::size_t end = i + 1;
            while (end < shapes.size() && same_paint(shapes[i], shapes[end])) ++end;
            const bool grouped = end - i >= painted_alike;
            if (grouped) {
                open("g");
                put_paint(shapes[i]);
            }
            for (const Shape& shape : shapes.subspan(i, end - i)) {
                put_form(shape);
                if (!grouped) put_paint(shape);
                if (const auto* words = std::get_if<Words>(&shape.form)) xml_.PushText(words->text.c_str());
                close();
            }
            if (grouped) close();
            i = end;
        }
    }

    /// Opens the element and says where it is.
    void put_form(const Shape& shape) {
        if (const auto* words = std::get_if<Words>(&shape.form)) {
            open("text");
            put("class", fonts_.at({words->face, words->em}));
            put("x", words->start.x);
            put("y", words->start.y);
            if (characters_in(words->text) > 1) {
                put("textLength", words->width);
                put("lengthAdjust", "spacingAndGlyphs");
            }
        } else if (const auto* rect = std::get_if<Rect>(&shape.form)) {
            open("rect");
            put_rect(*rect);
        } else if (const auto* circle = std::get_if<Circle>(&shape.form)) {
            open("circle");
            put("cx", circle->centre.x);
            put("cy", circle->centre.y);
            put("r", circle->radius);
        } else {
            put_path(std::get<Path>(shape.form));
        }
    }

    void put_path(const Path& path) {
        const Line& line = path.lines.front();
        if (path.lines.size() > 1) {
            open("path");
            put("d", commands_of(path));
        } else if (line.closed) {
            open("polygon");
            put("points", points_of(line));
        } else if (line.points.size() == 2) {
            open("line");
            put("x1", line.points[0].x);
            put("y1", line.points[0].y);
            put("x2", line.points[1].x);
            put("y2", line.points[1].y);
        } else {
            open("polyline");
            put("points", points_of(line));
        }
    }

    void put_rect(const Rect& rect) {
        put("x", rect.min.x);
        put("y", rect.min.y);
        put("width", rect.max.x - rect.min.x);
        put("height", rect.max.y - rect.min.y);
        if (rect.rounding > 0) put("rx", rect.rounding);
    }

    void put_paint(const Shape& shape) {
        const bool fades = shape.to_right || shape.to_bottom;
        const double opacity = fades ? 1 : opacity_of(shape.colour);
        if (fades) {
            put("fill", fmt::format("url(#fade-{})", fades_.at(key(shape))));
        } else if (shape.stroke > 0) {
            put("fill", "none");
            put("stroke", colour_words(shape.colour));
            if (shape.stroke != 1) put("stroke-width", shape.stroke);
        } else {
            put("fill", colour_words(shape.colour));
        }
        if (opacity < 1)
            put(shape.stroke > 0 ? "stroke-opacity" : "fill-opacity", fmt::format("{}", opacity));
    }

    using ClipKey = std::array<float, 4>;
    using FadeKey = std::array<ImU32, 3>;
    static ClipKey key(const Rect& clip) { return {clip.min.x, clip.min.y, clip.max.x, clip.max.y}; }
    static FadeKey key(const Shape& shape) {
        return {shape.colour, shape.to_right.value_or(shape.to_bottom.value_or(0)),
                static_cast<ImU32>(shape.to_bottom.has_value())};
    }

    const Drawing& drawing_;
    Printer xml_;
    std::set<std::string> ids_;
    std::map<FontKey, std::string> fonts_;  // class names
    std::map<ClipKey, std::size_t> clips_;
    std::map<FadeKey, std::size_t> fades_;
};

}  // namespace

std::string write_svg(const Drawing& drawing) { return SvgWriter(drawing).write(); }

}  // namespace warplens::app::svg
