#include "app/command_line/picture_options.h"

#include <algorithm>
#include <string_view>

#include "core/number_text.h"

namespace warplens::app {

Result<PictureSize> parse_size(const std::string& text, float scale) {
    if (!(scale >= 1 && scale <= 4)) return fail("--scale {}: a scale is a number from 1 to 4", scale);
    const std::string_view all = text;
    const std::size_t x = std::min(all.find('x'), all.size());
    const auto width = number_from<int>(all.substr(0, x));
    const auto height = number_from<int>(all.substr(std::min(x + 1, all.size())));
    if (!width || !height || *width < 320 || *height < 200 || *width > 8192 || *height > 8192) {
        return fail(
            "--size {}: a size is WIDTHxHEIGHT in pixels, from 320x200 to 8192x8192, for example 1600x1000",
            text);
    }
    PictureSize size;
    size.width = *width;
    size.height = *height;
    // A larger picture shows the same layout in more pixels, not the same text in a larger area.
    const float room =
        std::min(static_cast<float>(size.width) / 1600, static_cast<float>(size.height) / 1000);
    size.scale = scale * std::clamp(room, 1.0f, 4.0f);
    return size;
}

Result<ThemeName> parse_theme(const std::string& text) {
    if (text == "dark") return ThemeName::dark;
    if (text == "light") return ThemeName::light;
    return fail("--theme {} is not known; it is dark or light", text);
}

Result<std::vector<Annotation>> parse_annotations(const std::vector<std::string>& texts) {
    std::vector<Annotation> annotations;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
            return fail("--annotate {}: it is MARK=WORDS, for example \"lane:3=the conflict begins here\"",
                        text);
        annotations.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
    return annotations;
}

}  // namespace warplens::app
