#include "instrumentation/catalog/image_signature.h"

#include <algorithm>
#include <initializer_list>

#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace {

/// The parts of a call such as tex2DLayered<float4>(image, x, y, layer).
struct ImageAccess {
    std::string_view shape;    // "1D", "2D", "3D", "Cubemap"
    std::string_view variant;  // "Layered", "fetch", "write" …
    std::string_view texel;    // "float4"; may be empty
};

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// The call whose name begins at `at` with the letters of `verb`; nothing when it is none, or is not about
/// the name. An empty name: about whatever.
std::optional<ImageAccess> access_at(std::string_view source, std::size_t at, std::string_view verb,
                                     std::string_view name) {
    if (at > 0 && is_word(source[at - 1])) return std::nullopt;
    ImageAccess access;
    at += verb.size();
    for (const std::string_view shape : {"1D", "2D", "3D", "Cubemap"})
        if (source.substr(at).starts_with(shape)) access.shape = source.substr(at, shape.size());
    if (access.shape.empty()) return std::nullopt;
    const std::size_t variant = at + access.shape.size();
    std::size_t end = variant;
    while (end < source.size() && is_word(source[end])) ++end;
    access.variant = source.substr(variant, end - variant);
    at = skip_blanks(source, end);
    if (at < source.size() && source[at] == '<') {
        const std::size_t close = source.find_first_of("<>", at + 1);
        if (close == std::string_view::npos || source[close] != '>') return std::nullopt;
        access.texel = source.substr(at + 1, close - at - 1);
        at = skip_blanks(source, close + 1);
    }
    if (at >= source.size() || source[at] != '(') return std::nullopt;
    const std::size_t semicolon = source.find(';', at);
    if (semicolon == std::string_view::npos) return std::nullopt;
    const bool about = name.empty() || has_word(source.substr(at, semicolon - at), name);
    return about ? std::optional(access) : std::nullopt;
}

std::optional<ImageAccess> find_access(std::string_view verb, std::string_view name,
                                       std::string_view source) {
    for (std::size_t at = source.find(verb); at != std::string_view::npos; at = source.find(verb, at + 1))
        if (const auto access = access_at(source, at, verb, name)) return access;
    return std::nullopt;
}

}  // namespace

std::optional<ImageFacts> image_facts(std::string_view type, std::string_view name, std::string_view source) {
    const bool texture = type.find("cudaTextureObject_t") != std::string_view::npos ||
                         type.find("CUtexObject") != std::string_view::npos;
    const bool surface = type.find("cudaSurfaceObject_t") != std::string_view::npos ||
                         type.find("CUsurfObject") != std::string_view::npos;
    if (!texture && !surface) return std::nullopt;
    ImageFacts facts;
    facts.is_surface = surface;
    const std::string_view verb = surface ? "surf" : "tex";
    auto access = find_access(verb, name, source);
    if (!access)
        access = find_access(verb, "", source);  // a function that it is passed to, under another name
    if (!access) return facts;
    facts.cube = access->shape == "Cubemap";
    facts.dimensions = facts.cube ? 2 : access->shape[0] - '0';
    facts.layered = access->variant.find("Layered") != std::string_view::npos;
    facts.by_integers = access->variant.find("fetch") != std::string_view::npos;
    facts.written_texel = access->texel;
    return facts;
}

}  // namespace warplens::instrumentation
