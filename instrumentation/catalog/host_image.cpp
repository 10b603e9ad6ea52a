#include "instrumentation/catalog/host_image.h"

#include <algorithm>
#include <iterator>

#include "instrumentation/catalog/host_contents.h"
#include "instrumentation/catalog/host_types.h"
#include "instrumentation/catalog/image_text.h"
#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

struct Texel {
    std::string format, channels;  // "u8", "4"
};

/// Of "uchar4"; the format is empty: a texture has no such texels.
Texel texel_of(std::string type) {
    Texel texel{{}, "1"};
    if (type.size() > 1 && (type.back() == '1' || type.back() == '2' || type.back() == '4')) {
        texel.channels = type.back();
        type.pop_back();
    }
    static constexpr std::pair<const char*, const char*> short_words[] = {
        {"uchar", "u8"}, {"ushort", "u16"}, {"uint", "u32"}};
    for (const auto& [word, format] : short_words)
        if (type == word) texel.format = format;
    if (texel.format.empty()) texel.format = element_type_of(type);
    if (texel.format.ends_with("64")) texel.format.clear();
    return texel;
}

/// Fills the texels with what the program copies into the texture; false: that is not followed.
bool take_texels(DraftArgument& row, BufferDeclaration& texels, const host_code::HostImage& given,
                 const host_code::HostCode& code) {
    if (!given.texels || given.texels->contents.kind == host_code::Contents::Kind::unfilled) return false;
    const host_code::Contents& contents = given.texels->contents;
    const std::string unit = element_type_of(contents.unit);
    const ScalarType *of_unit = find_scalar_type(unit), *of_texel = find_scalar_type(texels.element_type);
    const bool same = contents.unit.empty() || (of_unit && of_texel && of_unit->bytes == of_texel->bytes &&
                                                is_real_type(unit) == is_real_type(texels.element_type));
    if (!same) return false;
    DraftArgument filled;
    filled.element_type = texels.element_type;
    take_contents(filled, contents, code);
    if (filled.fill.empty() || (filled.contents_guessed && !contents.formula)) return false;
    texels.fill = filled.fill;
    texels.fill_argument = filled.value;
    row.contents = filled.contents;
    row.contents_guessed = filled.contents_guessed;
    return true;
}

}  // namespace

void take_image(DraftArgument& row, const host_code::HostImage& given, const Relations& relations,
                const std::string& from, const host_code::HostCode& code) {
    auto parsed = parse_image_text(row.value, row.name);
    const Texel texel = texel_of(given.texel);
    if (!parsed || texel.format.empty()) return;
    ImageDeclaration& image = parsed->image;
    std::string* const extents[] = {&image.width, &image.height, &image.depth};
    for (std::size_t axis = 0; axis < std::size(extents); ++axis)
        if (!extents[axis]->empty() && given.extent[axis])
            *extents[axis] = relations.length(*given.extent[axis], given.roots[axis]);
    if (image.format != texel.format) {
        parsed->texels.fill = texel.format[0] == 'f' ? "random" : "iota";
        parsed->texels.fill_argument.clear();
    }
    image.format = parsed->texels.element_type = texel.format;
    image.channels = texel.channels;
    image.filter = given.linear ? "linear" : "point";
    image.normalised = given.normalised;
    image.reads_normalised = given.reads_normalised;
    static constexpr const char* modes[] = {"wrap", "clamp", "mirror", "border"};
    const bool known = given.address >= 0 && given.address < static_cast<std::int64_t>(std::size(modes));
    image.address = known ? modes[given.address] : "clamp";
    // Without normalised coordinates a GPU clamps.
    if (!given.normalised && image.address != "border") image.address = "clamp";
    if (!take_texels(row, parsed->texels, given, code)) {
        row.contents = "texels guessed: what the program copies into the texture is not followed";
        row.contents_guessed = true;
    }
    row.value = image_text(*parsed);
    row.from = from;
}

}  // namespace warplens::instrumentation
