#include "app/fonts.h"

#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <imgui_freetype.h>

#include <cmath>
#include <memory>

namespace warplens::app {
namespace {

// Latin, the Latin supplement (× ± · ² µ), dashes and ellipsis, superscripts, arrows, mathematics (≤ ≥ −),
// geometric shapes (▸ ◂ ▶ ▾).
constexpr ImWchar words_glyphs[] = {0x20,   0x24f,  0x370,  0x3ff,  0x2010, 0x2027, 0x2030, 0x203a, 0x2070,
                                    0x209f, 0x2190, 0x2199, 0x2200, 0x226f, 0x25a0, 0x25ff, 0};
constexpr ImWchar code_glyphs[] = {0x20,   0x17f,  0x370,  0x3ff,  0x2010, 0x2027, 0x2190,
                                   0x2199, 0x2200, 0x226f, 0x2500, 0x25ff, 0};

struct PatternDelete {
    void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
struct SetDelete {
    void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};
struct ObjectsDelete {
    void operator()(FcObjectSet* set) const { FcObjectSetDestroy(set); }
};

ImFont* add(ImFontAtlas& atlas, const std::string& file, const std::string& fallback_glyphs, float size,
            const ImWchar* glyphs) {
    ImFontConfig config;
    config.SizePixels = size;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    ImFont* font = file.empty() ? atlas.AddFontDefault(&config)
                                : atlas.AddFontFromFileTTF(file.c_str(), size, &config, glyphs);
    if (font && !file.empty() && !fallback_glyphs.empty()) {
        // Inter has no small triangles; take what it lacks from the other family.
        config.MergeMode = true;
        atlas.AddFontFromFileTTF(fallback_glyphs.c_str(), size * 0.93f, &config, words_glyphs);
    }
    return font;
}

}  // namespace

std::string find_font_file(const char* family, int weight) {
    FcInit();  // counts nothing and costs nothing when already done
    std::unique_ptr<FcPattern, PatternDelete> pattern(
        FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family, FC_SLANT, FcTypeInteger, FC_SLANT_ROMAN,
                       FC_WEIGHT, FcTypeInteger, weight, nullptr));
    std::unique_ptr<FcObjectSet, ObjectsDelete> wanted(FcObjectSetBuild(FC_FILE, FC_VARIABLE, nullptr));
    // Listing, unlike matching, never answers with another family.
    std::unique_ptr<FcFontSet, SetDelete> found(FcFontList(nullptr, pattern.get(), wanted.get()));
    for (int i = 0; found && i < found->nfont; ++i) {
        FcChar8* file = nullptr;
        if (FcPatternGetString(found->fonts[i], FC_FILE, 0, &file) == FcResultMatch)
            return reinterpret_cast<const char*>(file);
    }
    return {};
}

LoadedFonts load_fonts(ImFontAtlas& atlas, float scale) {
    LoadedFonts loaded;
    const std::string words = find_font_file("Inter", FC_WEIGHT_REGULAR);
    const std::string title = find_font_file("Inter", FC_WEIGHT_MEDIUM);
    const std::string code = find_font_file("JetBrains Mono", FC_WEIGHT_REGULAR);
    if (words.empty())
        loaded.missing.push_back(
            "The font Inter is not installed, so words are drawn in ImGui's own; the Debian package is "
            "fonts-inter.");
    if (code.empty())
        loaded.missing.push_back(
            "The font JetBrains Mono is not installed, so code is drawn in ImGui's own; the Debian package "
            "is fonts-jetbrains-mono.");
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.TexGlyphPadding = 1;
    const auto size = [&](float pixels) { return std::round(pixels * scale); };
    loaded.fonts.words = add(atlas, words, code, size(15), words_glyphs);
    loaded.fonts.code = add(atlas, code, {}, size(14), code_glyphs);
    loaded.fonts.title = add(atlas, title.empty() ? words : title, code, size(20), words_glyphs);
    loaded.fonts.small = add(atlas, words, code, size(12), words_glyphs);
    loaded.fonts.code_title = add(atlas, code, {}, size(18), code_glyphs);
    loaded.fonts.scale = scale;
    return loaded;
}

}  // namespace warplens::app
