// What a source's text says about an argument that is a texture or surface object: how it is accessed says
// its dimensions and its texels. As instrumentation/catalog/entry_signature.h, this is not a C++ parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::instrumentation {

struct ImageFacts {
    bool is_surface = false;
    int dimensions = 2;  // 1 to 3, layers not counted
    bool layered = false, cube = false;
    bool by_integers = false;   // tex1Dfetch
    std::string written_texel;  // "float4", as between < and >; empty: not known
};

/// Nothing when `type` ("cudaTextureObject_t") is neither. `source`: without comments.
std::optional<ImageFacts> image_facts(std::string_view type, std::string_view name, std::string_view source);

}  // namespace warplens::instrumentation
