#include "app/pipeline/bind_images.h"

namespace warplens::app {

std::vector<std::uint64_t> bind_images(const instrumentation::PreparedLaunch& launch,
                                       const std::vector<std::uint64_t>& buffer_addresses,
                                       simt::GlobalMemory& memory) {
    std::vector<std::uint64_t> handles;
    for (const instrumentation::PreparedImage& image : launch.images)
        handles.push_back(memory.images().bind(image.description, buffer_addresses.at(image.buffer)));
    return handles;
}

}  // namespace warplens::app
