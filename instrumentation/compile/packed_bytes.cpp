#include "instrumentation/compile/packed_bytes.h"

#include <zstd.h>

namespace warplens::instrumentation {

std::string packed(std::string_view bytes) {
    std::string result(ZSTD_compressBound(bytes.size()), '\0');
    // The slowest level: this is written once and read often.
    result.resize(ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), ZSTD_maxCLevel()));
    return result;
}

Result<std::string> unpacked(std::string_view packed, std::size_t most) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return fail("these are not zstd bytes");
    if (size > most) return fail("they would be {} bytes long, and {} are the most", size, most);
    std::string result(size, '\0');
    const std::size_t read = ZSTD_decompress(result.data(), result.size(), packed.data(), packed.size());
    if (ZSTD_isError(read)) return fail("{}", ZSTD_getErrorName(read));
    if (read != size) return fail("{} of {} bytes are there", read, size);
    return result;
}

}  // namespace warplens::instrumentation
