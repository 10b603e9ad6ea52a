#include "app/pipeline/content_hash.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace warplens::app {

std::string content_hash(const std::byte* bytes, std::size_t count) {
    const XXH128_hash_t hash = XXH3_128bits(bytes, count);
    return fmt::format("{} {:016x}{:016x}\n", count, hash.high64, hash.low64);
}

std::string content_hash(const std::string& text) {
    return content_hash(reinterpret_cast<const std::byte*>(text.data()), text.size());
}

}  // namespace warplens::app
