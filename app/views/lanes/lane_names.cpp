#include "app/views/lanes/lane_names.h"

#include "app/ui/text.h"
#include "core/lane_mask.h"

namespace warplens::app {

std::string LaneNames::name_of(int lane) const {
    std::string name = fmt::format("{}{}", lane == 0 ? "lane " : "", lane);
    if (block_.y == 1 && block_.z == 1) return name;
    const Dim3 thread = coordinates(std::uint64_t{warp_} * warp_size + static_cast<unsigned>(lane), block_);
    if (block_.z == 1) return name + fmt::format(" ({}, {})", thread.x, thread.y);
    return name + fmt::format(" ({}, {}, {})", thread.x, thread.y, thread.z);
}

float LaneNames::width(const Theme& theme) const {
    float widest = text_width(theme.fonts.small, "lane 31");
    for (int lane = 0; lane < warp_size; ++lane)
        widest = std::max(widest, text_width(theme.fonts.small, name_of(lane)));
    return widest;
}

void LaneNames::draw(const Ink& ink, const Box& box, const Box& grid, int every) const {
    const float row = grid.height() / warp_size;
    for (int lane = 0; lane < warp_size; lane += every) {
        const float y = grid.y0 + row * static_cast<float>(lane);
        ink.text({box.x0, y, box.x1, y + row * static_cast<float>(every == 1 ? 1 : 2)}, name_of(lane),
                 ink.theme.fonts.small, ink.theme.text_dim, Align::right);
    }
}

}  // namespace warplens::app
