#include "instrumentation/catalog/image_signature.h"

#include <regex>

namespace warplens::instrumentation {

std::optional<ImageFacts> image_facts(std::string_view type, std::string_view name, std::string_view source) {
    const bool texture = type.find("cudaTextureObject_t") != std::string_view::npos ||
                         type.find("CUtexObject") != std::string_view::npos;
    const bool surface = type.find("cudaSurfaceObject_t") != std::string_view::npos ||
                         type.find("CUsurfObject") != std::string_view::npos;
    if (!texture && !surface) return std::nullopt;
    ImageFacts facts;
    facts.is_surface = surface;
    // tex2DLayered<float4>(image, x, y, layer); surf2Dwrite(value, image, 4 * x, y);
    static const std::regex access(R"(\b(tex|surf)(1D|2D|3D|Cubemap)(\w*)\s*(?:<([^<>]*)>)?\s*\(([^;]*);)");
    const std::regex word("\\b" + std::string(name) + "\\b");
    const std::string text(source);
    for (std::sregex_iterator at(text.begin(), text.end(), access), end; at != end; ++at) {
        const std::smatch& match = *at;
        if ((match[1] == "surf") != surface || !std::regex_search(match[5].first, match[5].second, word))
            continue;
        const std::string rest = match[3];
        facts.cube = match[2] == "Cubemap";
        facts.dimensions = facts.cube ? 2 : match[2].str()[0] - '0';
        facts.layered = rest.find("Layered") != std::string::npos;
        facts.by_integers = rest.find("fetch") != std::string::npos;
        facts.written_texel = match[4];
        break;
    }
    return facts;
}

}  // namespace warplens::instrumentation
