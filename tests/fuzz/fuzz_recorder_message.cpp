// Messages of the recorder's child: no bytes may cause harm, and accepted messages can be written again.
#include <cstddef>
#include <cstdint>

#include "instrumentation/device/gpu_request.h"
#include "instrumentation/device/protocol.h"
#include "instrumentation/device/wire.h"

namespace {

using namespace warplens::instrumentation;
using warplens::Json;

template <class T>
bool read_and_say_again(const Json& message, T& value) {
    if (!from_message(message, value)) return false;
    T again;
    if (!from_message(to_message(value), again)) __builtin_trap();
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Json message;
    if (!parse_message({data, size}, message)) return 0;
    DeviceFacts facts;
    GpuFailure failure;
    RunAnswer answer;
    RunRequest request;
    std::vector<Piece> pieces;
    read_and_say_again(message, facts);
    read_and_say_again(message, failure);
    read_and_say_again(message, pieces);
    read_and_say_again(message, request);
    if (!read_and_say_again(message, answer)) return 0;
    request = {};
    request.buffers.resize(answer.buffer_addresses.size());
    VariantRequest asked;
    asked.chunk_units = 8;
    asked.space_bytes = 1 << 20;
    request.variants.assign(answer.variants.size(), asked);
    if (check_answer(request, answer).empty()) {
        for (const VariantAnswer& variant : answer.variants) {
            if (variant.read_bytes > asked.space_bytes) __builtin_trap();
        }
    }
    return 0;
}
