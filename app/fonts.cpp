#include "app/fonts.h"

#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include <imgui_freetype.h>

#include <cmath>
#include <memory>

#include FT_FREETYPE_H

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

/// ImGui sizes a font by its line, ascender to descender; type is sized by its em. The factor between them.
float line_per_em(const std::string& file) {
    FT_Library library = nullptr;
    FT_Face face = nullptr;
    float factor = 1;
    if (FT_Init_FreeType(&library) != 0) return factor;
    if (FT_New_Face(library, file.c_str(), 0, &face) == 0) {
        if (face->units_per_EM > 0)
            factor = static_cast<float>(face->ascender - face->descender) / face->units_per_EM;
        FT_Done_Face(face);
    }
    FT_Done_FreeType(library);
    return factor;
}

/// A font file with the factor from its em to its line.
struct Face {
    std::string file;  // empty: not installed
    float factor = 1;
};

Face find_face(const char* family, int weight) {
    Face face{find_font_file(family, weight), 1};
    if (!face.file.empty()) face.factor = line_per_em(face.file);
    return face;
}

/// `fallback` lends the glyphs that `face` lacks: Inter has no small triangles.
ImFont* add(ImFontAtlas& atlas, const Face& face, const Face* fallback, float em, const ImWchar* glyphs) {
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    if (face.file.empty()) {
        config.SizePixels = std::round(em);
        return atlas.AddFontDefault(&config);
    }
    ImFont* font = atlas.AddFontFromFileTTF(face.file.c_str(), std::round(em * face.factor), &config, glyphs);
    if (font && fallback && !fallback->file.empty()) {
        config.MergeMode = true;
        atlas.AddFontFromFileTTF(fallback->file.c_str(), std::round(em * fallback->factor), &config, glyphs);
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
    const Face words = find_face("Inter", FC_WEIGHT_REGULAR);
    const Face medium = find_face("Inter", FC_WEIGHT_MEDIUM);
    const Face code = find_face("JetBrains Mono", FC_WEIGHT_REGULAR);
    if (words.file.empty())
        loaded.missing.push_back(
            "The font Inter is not installed, so words are drawn in ImGui's own; the Debian package is "
            "fonts-inter.");
    if (code.file.empty())
        loaded.missing.push_back(
            "The font JetBrains Mono is not installed, so code is drawn in ImGui's own; the Debian package "
            "is fonts-jetbrains-mono.");
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.TexGlyphPadding = 1;
    loaded.fonts.words = add(atlas, words, &code, 15 * scale, words_glyphs);
    loaded.fonts.code = add(atlas, code, nullptr, 14 * scale, code_glyphs);
    loaded.fonts.title = add(atlas, medium.file.empty() ? words : medium, &code, 20 * scale, words_glyphs);
    loaded.fonts.small = add(atlas, words, &code, 12 * scale, words_glyphs);
    loaded.fonts.code_title = add(atlas, code, nullptr, 18 * scale, code_glyphs);
    loaded.fonts.scale = scale;
    return loaded;
}

}  // namespace warplens::app
