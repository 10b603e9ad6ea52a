#include "app/ui/shared_fonts.h"

#include <map>
#include <utility>

namespace warplens::app {

std::shared_ptr<FontAtlas> shared_fonts(float scale, GlyphWidths widths) {
    static std::map<std::pair<float, GlyphWidths>, std::shared_ptr<FontAtlas>> made;
    if (const auto found = made.find({scale, widths}); found != made.end()) return found->second;
    const auto fonts = std::make_shared<FontAtlas>(scale);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    fonts->atlas.GetTexDataAsAlpha8(&pixels, &width, &height);  // builds the atlas
    if (widths == GlyphWidths::designed) use_designed_widths(fonts->loaded.faces);
    return made[{scale, widths}] = fonts;
}

}  // namespace warplens::app
