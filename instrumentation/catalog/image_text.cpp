#include "instrumentation/catalog/image_text.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/image_words.h"
#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/buffer_text.h"
#include "instrumentation/catalog/images.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {

namespace {

std::vector<std::string> words(const auto& names) { return {names.begin(), names.end()}; }

/// Where the bracket that opens at `open` is closed; npos: nowhere.
std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '[' || text[i] == '(') ++depth;
        if ((text[i] == ']' || text[i] == ')') && --depth == 0) return i;
    }
    return std::string_view::npos;
}

Status take_fill(const std::string& fill, const std::string& text, BufferDeclaration& texels) {
    if (set_fill(fill, texels)) return {};
    return fail("{}: it is filled with zero, iota, random, random:100, const:3 or formula:i % 7, not with {}",
                text, fill);
}

Status take_option(const std::string& option, const std::string& text, ImageDeclaration& image) {
    const std::size_t equals = option.find('=');
    const std::string key = option.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
    const auto choose = [&](const std::vector<std::string>& allowed, std::string& into) -> Status {
        into = value;
        if (std::ranges::find(allowed, value) != allowed.end()) return {};
        return fail("{}: {} is one of {}, not \"{}\"{}", text, key, listed(allowed), value,
                    did_you_mean(value, allowed));
    };
    if (key == "layers" && !value.empty()) {
        image.layers = value;
        return {};
    }
    std::vector<std::string> known{"layers=COUNT"};
    if (!image.is_surface) {
        if (key == "filter") return choose(words(texture_filter_names), image.filter);
        if (key == "address") return choose(words(address_mode_names), image.address);
        for (const auto& [flag, into] :
             {std::pair{"cube", &image.cube}, std::pair{"normalised", &image.normalised},
              std::pair{"reads_normalised", &image.reads_normalised}})
            if (option == flag) {
                *into = true;
                return {};
            }
        known = {"filter=linear", "address=clamp", "normalised", "reads_normalised", "layers=COUNT", "cube"};
    }
    return fail("{}: {} is not an option of a {}; they are {}", text, option,
                image.is_surface ? "surface" : "texture", listed(known));
}

struct ImageKind {
    std::string_view format;  // of a channel
    std::string_view channels;
};

/// What "texture:f32x4[" says; nothing where it is of another form.
std::optional<ImageKind> read_kind(std::string_view text) {
    if (!is_image_text(text)) return std::nullopt;
    const std::size_t colon = text.find(':'), open = text.find('[');
    if (open == std::string_view::npos) return std::nullopt;
    const std::string_view type = text.substr(colon + 1, open - colon - 1);
    const std::size_t times = std::min(type.find('x'), type.size());
    ImageKind kind{type.substr(0, times), "1"};
    if (times < type.size()) kind.channels = type.substr(times + 1);
    if (std::ranges::find(channel_format_names, kind.format) == std::end(channel_format_names) ||
        (kind.channels != "1" && kind.channels != "2" && kind.channels != "4"))
        return std::nullopt;
    return kind;
}

}  // namespace

bool is_image_text(std::string_view text) {
    return text.starts_with("texture:") || text.starts_with("surface:");
}

bool is_image_option(std::string_view text) {
    constexpr std::string_view options[] = {"filter", "address",    "layers",
                                            "cube",   "normalised", "reads_normalised"};
    return std::ranges::find(options, text.substr(0, text.find('='))) != std::end(options);
}

Result<ImageText> parse_image_text(const std::string& text, const std::string& name) {
    const auto kind = read_kind(text);
    const std::size_t open = text.find('[');
    const std::size_t close = kind ? closing(text, open) : std::string::npos;
    const bool surface = text.starts_with("surface:");
    if (close == std::string::npos)
        return fail("{}: a {} is written {}; types are u8 to i32, f16 and f32, with x2 or x4 channels", text,
                    surface ? "surface" : "texture",
                    surface ? "surface:f32[256,256]=zero"
                            : "texture:f32x4[256,256]=random,filter=linear,address=clamp");
    ImageText parsed;
    ImageDeclaration& image = parsed.image;
    image.name = image.buffer = parsed.texels.name = name;
    image.is_surface = surface;
    image.format = parsed.texels.element_type = kind->format;
    image.channels = kind->channels;
    image.filter = texture_filter_names[0];
    image.address = "clamp";
    const std::vector<std::string> extents = split_members(text.substr(open + 1, close - open - 1));
    if (extents.size() > 3 || std::ranges::any_of(extents, &std::string::empty))
        return fail("{}: it has one to three extents, width first", text);
    image.width = extents[0];
    if (extents.size() > 1) image.height = extents[1];
    if (extents.size() > 2) image.depth = extents[2];

    std::vector<std::string> rest = split_members(text.substr(close + 1));
    std::string fill = "zero";
    if (rest[0].starts_with("=")) fill = rest[0].substr(1);
    else if (!rest[0].empty()) return fail("{}: after ] comes =random, or a comma and an option", text);
    WARPLENS_TRY(take_fill(fill, text, parsed.texels));
    for (std::size_t i = 1; i < rest.size(); ++i) WARPLENS_TRY(take_option(rest[i], text, image));
    if (image.cube && (!image.height.empty() || !image.depth.empty()))
        return fail("{}: a cube has one extent, the width of its faces", text);
    if (!image.depth.empty() && !image.layers.empty())
        return fail("{}: an image of three extents has no layers", text);
    parsed.texels.length = texel_elements(image);
    return parsed;
}

std::string image_text(const ImageText& written) {
    const ImageDeclaration& image = written.image;
    std::string text = image.is_surface ? "surface:" : "texture:";
    text += image.format.empty() ? written.texels.element_type : image.format;
    if (image.channels != "1") text += "x" + image.channels;
    text += "[" + image.width;
    for (const std::string* extent : {&image.height, &image.depth})
        if (!extent->empty()) text += "," + *extent;
    text += "]=" + fill_words(written.texels);
    if (!image.layers.empty()) text += ",layers=" + image.layers;
    if (image.is_surface) return text;
    if (image.filter != "point") text += ",filter=" + image.filter;
    if (image.address != "clamp") text += ",address=" + image.address;
    if (image.cube) text += ",cube";
    if (image.normalised) text += ",normalised";
    if (image.reads_normalised) text += ",reads_normalised";
    return text;
}

}  // namespace warplens::instrumentation
