#include "simt/timing/memory_places.h"

#include <initializer_list>
#include <string_view>

namespace warplens::simt {
namespace {

constexpr std::uint64_t address_bits(std::initializer_list<int> bits) {
    std::uint64_t mask = 0;
    for (const int bit : bits) mask |= std::uint64_t{1} << bit;
    return mask;
}

constexpr MemoryPlaces h200{
    address_bits({12, 13, 15, 17, 19, 21, 22}), 177, 196, 6, 3890, 490, 96, 1.36, 20, 12};
constexpr MemoryPlaces h100{address_bits({12, 13, 16, 17, 19}), 190, 198, 5, 3790, 420, 82, 1.31, 26, 14};
constexpr MemoryPlaces not_measured{};

}  // namespace

const MemoryPlaces& memory_places(const GpuSpec& gpu) {
    const std::string_view name = gpu.based_on.empty() ? gpu.name : gpu.based_on;
    if (name == "H200") return h200;
    return name == "H100" ? h100 : not_measured;
}

}  // namespace warplens::simt
