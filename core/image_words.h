// Words for images: filters and address modes by name, and which spaces are those of textures and surfaces.
#pragma once

#include <array>
#include <string_view>

#include "core/image.h"
#include "core/memory_space.h"

namespace warplens {

inline constexpr std::array<std::string_view, 2> texture_filter_names{"point", "linear"};

/// Of a texture or a surface.
constexpr bool is_image(Space space) { return space == Space::texture || space == Space::surface; }

}  // namespace warplens
