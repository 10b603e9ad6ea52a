#include "app/command_line/picture_options.h"

#include <algorithm>
#include <regex>

namespace warplens::app {

Result<PictureSize> parse_size(const std::string& text) {
    static const std::regex form(R"(^(\d{1,5})x(\d{1,5})$)");
    std::smatch match;
    PictureSize size;
    if (std::regex_match(text, match, form)) {
        size.width = std::stoi(match[1]);
        size.height = std::stoi(match[2]);
    }
    if (!match.ready() || match.empty() || size.width < 320 || size.height < 200 || size.width > 8192 ||
        size.height > 8192) {
        return fail(
            "--size {}: a size is WIDTHxHEIGHT in pixels, from 320x200 to 8192x8192, for example 1600x1000",
            text);
    }
    // Larger pictures are the same picture in more pixels, not the same words lost in more room.
    const float room =
        std::min(static_cast<float>(size.width) / 1600, static_cast<float>(size.height) / 1000);
    size.scale = std::clamp(room, 1.0f, 4.0f);
    return size;
}

Result<ThemeName> parse_theme(const std::string& text) {
    if (text == "dark") return ThemeName::dark;
    if (text == "light") return ThemeName::light;
    return fail("--theme {} is not known; it is dark or light", text);
}

}  // namespace warplens::app
