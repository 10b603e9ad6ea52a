// libFuzzer target: any text as a saved session. It is refused in one sentence, or what was read is written
// and read again as the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/session/saved/saved_session.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens::app;
    const auto saved = read_saved_session({reinterpret_cast<const char*>(data), size});
    if (!saved) return saved.error().message.empty() ? (__builtin_trap(), 0) : 0;
    const auto again = read_saved_session(to_json(*saved));
    if (!again || !(*again == *saved)) __builtin_trap();
    return 0;
}
