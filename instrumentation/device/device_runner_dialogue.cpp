// DeviceRunner's messages with the recorder: phases, requests to cancel, memory and blobs that arrive.
#include <algorithm>

#include "instrumentation/device/device_runner.h"

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

constexpr auto patience = std::chrono::seconds(60);  // with a recorder that is busy

}  // namespace

bool DeviceRunner::send(const Json& message) {
    // A recorder that is gone is noticed elsewhere, and ends this process.
    return channel_.send(message, Clock::now() + patience) ||
           calls_.fail_with(Kind::protocol, "the recorder does not listen");
}

bool DeviceRunner::report_phase(Phase phase, const std::string& subject) {
    calls_.set_subject(subject);
    return send({{"tell", "phase"}, {"phase", static_cast<std::uint32_t>(phase)}, {"subject", subject}});
}

bool DeviceRunner::wait_for(const char* ask, Json& message) {
    while (true) {
        const Receipt receipt = channel_.receive(message, Clock::now() + patience);
        std::string word;
        if (receipt != Receipt::message || !read(message, "ask", word)) {
            return calls_.fail_with(Kind::protocol, "the recorder said nothing that makes sense");
        }
        if (word == ask) return true;
        if (word != "cancel") {
            return calls_.fail_with(Kind::protocol, fmt::format("expected {}, got {}", ask, word));
        }
        cancelled_ = true;
    }
}

bool DeviceRunner::not_cancelled() {
    Json message;
    if (channel_.has_input()) {
        if (!wait_for("cancel", message)) return false;
        cancelled_ = true;
    }
    return !cancelled_ || calls_.fail_with(Kind::cancelled, "cancelled");
}

bool DeviceRunner::adopt_region(std::uint32_t id) {
    Region& region = regions_[id];
    if (region.registered) calls_.driver().unregister_host(region.memory.bytes().data());
    region = {};
    auto memory = SharedRegion::adopt(channel_.take_descriptor());
    if (!memory) return calls_.fail_with(Kind::protocol, memory.error().message);
    region.memory = std::move(*memory);
    const std::span<std::byte> bytes = region.memory.bytes();
    region.registered = calls_.driver().register_host(bytes.data(), bytes.size(), 0) == cuda::success;
    return true;
}

bool DeviceRunner::get_region(std::uint32_t id, std::uint64_t bytes, std::byte*& start) {
    if (regions_[id].memory.bytes().size() < bytes) {
        Json message;
        if (!send({{"tell", "region"}, {"id", id}, {"bytes", bytes}}) || !wait_for("region", message) ||
            !adopt_region(id)) {
            return false;
        }
        if (regions_[id].memory.bytes().size() < bytes) {
            return calls_.fail_with(Kind::protocol, "less memory arrived than requested");
        }
    }
    start = regions_[id].memory.bytes().data();
    return true;
}

/// Parts of blobs as they came: buffers go to the device at once, PTX and sets are put together here.
bool DeviceRunner::take_pieces(const RunRequest& request, std::vector<std::uint64_t>& missing_bytes) {
    Json message;
    std::vector<Piece> pieces;
    if (!wait_for("pieces", message)) return false;
    if (!from_message(message, pieces)) return calls_.fail_with(Kind::protocol, "the pieces are invalid");
    if (message.contains("new_region") && !adopt_region(upload_region)) return false;
    const std::span<const std::byte> memory = regions_[upload_region].memory.bytes();
    for (const Piece& piece : pieces) {
        if (piece.blob >= request.blobs.size() || piece.bytes > missing_bytes[piece.blob] ||
            piece.blob_offset != request.blobs[piece.blob].bytes - missing_bytes[piece.blob] ||
            piece.region_offset > memory.size() || piece.bytes > memory.size() - piece.region_offset) {
            return calls_.fail_with(Kind::protocol, "a piece is invalid");
        }
        const std::byte* const from = memory.data() + piece.region_offset;
        const auto buffer = std::find(request.buffers.begin(), request.buffers.end(), piece.blob);
        if (buffer == request.buffers.end()) {
            texts_[piece.blob].append(reinterpret_cast<const char*>(from), piece.bytes);
        } else if (!buffers_.upload(static_cast<std::uint32_t>(buffer - request.buffers.begin()),
                                    piece.blob_offset, from, piece.bytes)) {
            return false;
        }
        missing_bytes[piece.blob] -= piece.bytes;
    }
    return calls_.wait("copying the buffers to the device") && send({{"tell", "pieces_done"}});
}

}  // namespace warplens::instrumentation
