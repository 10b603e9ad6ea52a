#include "app/ui/fonts.h"

#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include <imgui_freetype.h>

#include <cmath>
#include <memory>
#include <optional>

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

/// `fallback` provides the glyphs that `face` lacks: Inter has no small triangles.
LoadedFace add(ImFontAtlas& atlas, const Face& face, const Face* fallback, float em, const ImWchar* glyphs,
               const char* families, int weight) {
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    if (face.file.empty()) {
        config.SizePixels = std::round(em);
        return {atlas.AddFontDefault(&config), {}, "monospace", 400, config.SizePixels, {}, {}};
    }
    const float line = std::round(em * face.factor);
    ImFont* font = atlas.AddFontFromFileTTF(face.file.c_str(), line, &config, glyphs);
    const bool has_fallback = font && fallback && !fallback->file.empty();
    if (has_fallback) {
        config.MergeMode = true;
        atlas.AddFontFromFileTTF(fallback->file.c_str(), std::round(em * fallback->factor), &config, glyphs);
    }
    return {font, {}, families, weight, line / face.factor, face.file, has_fallback ? fallback->file : ""};
}

/// A font file, opened to ask for the widths of its glyphs.
class FontFile {
  public:
    explicit FontFile(const std::string& path) {
        if (path.empty() || FT_Init_FreeType(&library_) != 0) return;
        if (FT_New_Face(library_, path.c_str(), 0, &face_) != 0) face_ = nullptr;
    }
    ~FontFile() {
        if (face_) FT_Done_Face(face_);
        if (library_) FT_Done_FreeType(library_);
    }
    FontFile(const FontFile&) = delete;
    FontFile& operator=(const FontFile&) = delete;

    /// In ems; nothing when the font lacks the character.
    std::optional<float> width(unsigned character) const {
        if (!face_ || face_->units_per_EM == 0) return std::nullopt;
        const FT_UInt glyph = FT_Get_Char_Index(face_, character);
        if (glyph == 0 || FT_Load_Glyph(face_, glyph, FT_LOAD_NO_SCALE) != 0) return std::nullopt;
        return static_cast<float>(face_->glyph->metrics.horiAdvance) / face_->units_per_EM;
    }

  private:
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
};

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
            "The font Inter is not installed; text uses ImGui's default font. The Debian package is "
            "fonts-inter.");
    if (code.file.empty())
        loaded.missing.push_back(
            "The font JetBrains Mono is not installed; code uses ImGui's default font. The Debian package "
            "is fonts-jetbrains-mono.");
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.TexGlyphPadding = 1;
    const auto load = [&](const char* name, const Face& face, const Face* fallback, float em, int weight) {
        const bool is_code = &face == &code;
        loaded.faces.push_back(
            add(atlas, face, fallback, em * scale, is_code ? code_glyphs : words_glyphs,
                is_code ? "'JetBrains Mono', monospace" : "Inter, 'JetBrains Mono', sans-serif", weight));
        loaded.faces.back().name = name;
        return loaded.faces.back().font;
    };
    loaded.fonts.words = load("words", words, &code, 15, 400);
    loaded.fonts.code = load("code", code, nullptr, 14, 400);
    loaded.fonts.title =
        load("title", medium.file.empty() ? words : medium, &code, 20, medium.file.empty() ? 400 : 500);
    loaded.fonts.small = load("small", words, &code, 12, 400);
    loaded.fonts.code_title = load("code-title", code, nullptr, 18, 400);
    loaded.fonts.headline =
        load("headline", medium.file.empty() ? words : medium, &code, 40, medium.file.empty() ? 400 : 500);
    loaded.fonts.scale = scale;
    return loaded;
}

void use_designed_widths(std::span<const LoadedFace> faces) {
    for (const LoadedFace& face : faces) {
        const FontFile file(face.file), fallback(face.fallback_file);
        for (ImFontGlyph& glyph : face.font->Glyphs) {
            auto width = file.width(glyph.Codepoint);
            if (!width) width = fallback.width(glyph.Codepoint);
            if (!width) continue;
            glyph.AdvanceX = *width * face.em;
            face.font->IndexAdvanceX[static_cast<int>(glyph.Codepoint)] = glyph.AdvanceX;
        }
    }
}

}  // namespace warplens::app
