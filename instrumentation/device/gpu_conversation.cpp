#include "instrumentation/device/gpu_conversation.h"

#include <algorithm>
#include <cstring>

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

constexpr auto child_patience = std::chrono::seconds(60);  // with everything but a kernel
constexpr auto cancel_patience = std::chrono::milliseconds(100);
constexpr auto tick = std::chrono::milliseconds(5);             // between two looks at `cancelled`
constexpr double launch_allowance_s = 0.25;                     // for what surrounds a kernel in its phase
constexpr std::uint64_t batch_bytes = std::uint64_t{64} << 20;  // of an upload, at once

GpuFailure nonsense(const std::string& what) {
    return {Kind::protocol,
            fmt::format("the recorder's process sent an invalid message: {}; it was stopped, and "
                        "the next run starts a new one",
                        what)};
}

std::uint64_t message_budget(const RunRequest& request) {
    std::uint64_t bytes = 0;
    for (const BlobFacts& blob : request.blobs) bytes += blob.bytes;
    const std::uint64_t launches =
        (static_cast<std::uint64_t>(request.repeats) + 1) * (request.variants.size() + 1);
    // Of streams: the first run, the totals and the parts of the spans report a phase each.
    return 64 + launches + 128 * request.streams.variants.size() + 8 * request.variants.size() +
           bytes / batch_bytes + request.blobs.size();
}

const char* text_of(Phase phase) {
    switch (phase) {
        case Phase::load:
            return "was loaded";
        case Phase::upload:
            return "was given its buffers";
        case Phase::kernel:
            return "ran";
        case Phase::results:
            return "had its results read";
    }
    return "ran";
}

}  // namespace

GpuFailure death_of(ChildProcess& child, const std::string& meanwhile) {
    child.ended_by(Clock::now() + std::chrono::seconds(1));
    return {
        Kind::child_died,
        fmt::format("the recorder's process {} while {}; what was recorded before is kept, and the next run "
                    "starts a new one",
                    child.running() ? "stopped talking" : child.how_it_ended(), meanwhile)};
}

Conversation::Conversation(ChildProcess& child, Regions& regions, const PreparedRequest& prepared,
                           const GpuRunOptions& options)
    : child_(child),
      regions_(regions),
      prepared_(prepared),
      options_(options),
      deadline_(Clock::now() + child_patience),
      messages_left_(message_budget(prepared.request)) {}

GpuFailure Conversation::out_of_time() const {
    if (phase_ == Phase::kernel) {
        return {Kind::time_limit,
                fmt::format(
                    "{} ran longer than {:g} s on the GPU and was stopped; a loop without an end, or lanes "
                    "of a warp that wait for each other, do that: run it with `--engine simt`, which names "
                    "the line",
                    subject_, options_.time_limit_s)};
    }
    return {Kind::child_died,
            fmt::format("the recorder's process did nothing for {} s while {} {}; it was stopped",
                        child_patience.count(), subject_, text_of(phase_))};
}

Conversation::Failure Conversation::say(const Json& message, int descriptor) {
    if (child_.channel().send(message, Clock::now() + child_patience, descriptor)) return std::nullopt;
    return death_of(child_, fmt::format("{} {}", subject_, text_of(phase_)));
}

ConversationEnd Conversation::hold() {
    const auto lost = [](GpuFailure failure) {
        return ConversationEnd{tl::unexpected(std::move(failure)), true};
    };
    if (Failure failure = say(to_message(prepared_.request))) return lost(*failure);
    bool cancelling = false;
    while (true) {
        if (!cancelling && options_.cancelled && options_.cancelled()) {
            cancelling = true;
            deadline_ = Clock::now() + cancel_patience;
            if (Failure failure = say({{"ask", "cancel"}})) return lost(*failure);
        }
        Json message;
        const Clock::time_point next = Clock::now() + tick;
        switch (child_.channel().receive(message, std::min(deadline_, next))) {
            case Receipt::message:
                break;
            case Receipt::closed:
                return lost(death_of(child_, fmt::format("{} {}", subject_, text_of(phase_))));
            case Receipt::nonsense:
                return lost(nonsense("no message at all"));
            case Receipt::timed_out:
                if (Clock::now() < deadline_) {
                    if (child_.running()) continue;
                    return lost(death_of(child_, fmt::format("{} {}", subject_, text_of(phase_))));
                }
                if (cancelling) return lost({Kind::cancelled, "cancelled"});
                return lost(out_of_time());
        }
        if (messages_left_-- == 0) return lost(nonsense("it does not come to an end"));
        const Clock::time_point cancel_deadline = deadline_;
        if (Failure failure = hear(message)) return lost(*failure);
        if (cancelling) deadline_ = cancel_deadline;
        if (answer_) return {std::move(*answer_), false};
        if (reported_failure_) {
            const Kind kind = reported_failure_->kind;
            const bool usable = kind == Kind::load_failed || kind == Kind::launch_refused ||
                                kind == Kind::out_of_memory || kind == Kind::cancelled;
            return {tl::unexpected(std::move(*reported_failure_)), !usable};
        }
    }
}

Conversation::Failure Conversation::hear(const Json& message) {
    std::string word;
    if (!read(message, "tell", word)) return nonsense("a message without content");
    if (word == "phase") return enter_phase(message);
    deadline_ = Clock::now() + child_patience;
    if (word == "blobs") return give_missing(message);
    if (word == "pieces_done") return pieces_.empty() ? Failure{} : give_pieces();
    if (word == "region") return give_region(message);
    if (word == "failure") {
        GpuFailure failure;
        if (!from_message(message, failure)) return nonsense("a failure without a cause");
        reported_failure_ = std::move(failure);
        return std::nullopt;
    }
    if (word != "done") return nonsense("an unknown message");
    RunAnswer answer;
    if (!from_message(message, answer)) return nonsense("an answer with parts missing");
    if (const std::string wrong = check_answer(prepared_.request, answer); !wrong.empty()) {
        return nonsense("an answer that does not fit the question: " + wrong);
    }
    for (std::uint32_t i = 0; i < answer.variants.size(); ++i) {
        const auto region = regions_.find(first_space_region + i);
        if (region == regions_.end() || region->second.bytes().size() < answer.variants[i].read_bytes) {
            return nonsense("it read more than it has room for");
        }
    }
    answer_ = std::move(answer);
    return std::nullopt;
}

Conversation::Failure Conversation::enter_phase(const Json& message) {
    std::uint32_t phase = 0;
    std::string subject;
    if (!read(message, "phase", phase) || phase > static_cast<std::uint32_t>(Phase::results) ||
        !read(message, "subject", subject)) {
        return nonsense("an unknown phase");
    }
    phase_ = static_cast<Phase>(phase);
    subject_ = subject.substr(0, 200);
    const std::chrono::duration<double> limit(options_.time_limit_s + launch_allowance_s);
    deadline_ = Clock::now() + (phase_ == Phase::kernel ? std::chrono::duration_cast<Clock::duration>(limit)
                                                        : child_patience);
    return std::nullopt;
}

Conversation::Failure Conversation::give_missing(const Json& message) {
    const Json* const missing = read_array(message, "missing");
    if (missing_reported_ || !missing || missing->size() > prepared_.blobs.size()) {
        return nonsense("it needs what there is not");
    }
    missing_reported_ = true;
    std::uint64_t total = 0;
    std::vector<bool> asked(prepared_.blobs.size());
    for (const Json& entry : *missing) {
        if (!entry.is_unsigned() || entry.as_unsigned() >= asked.size()) {
            return nonsense("it needs what there is not");
        }
        const auto blob = static_cast<std::uint32_t>(entry.as_unsigned());
        if (asked[blob]) return nonsense("it needs something twice");
        asked[blob] = true;
        const std::uint64_t bytes = prepared_.blobs[blob].size();
        pieces_.push_back({blob, 0, 0, bytes});
        total += bytes + 256;
    }
    if (regions_[upload_region].bytes().size() < std::min(total, batch_bytes)) {
        auto region = SharedRegion::create(std::min(total, batch_bytes));
        if (!region) return GpuFailure{Kind::out_of_memory, region.error().message};
        regions_[upload_region] = std::move(*region);
    }
    return give_pieces();
}

/// As much of what is missing as fits the region.
Conversation::Failure Conversation::give_pieces() {
    SharedRegion& region = regions_[upload_region];
    std::vector<Piece> batch;
    std::uint64_t at = 0;
    while (!pieces_.empty() && at < region.bytes().size()) {
        Piece& left = pieces_.front();
        Piece piece = left;
        piece.region_offset = at;
        piece.bytes = std::min(left.bytes, region.bytes().size() - at);
        const std::span<const std::byte> blob = prepared_.blobs[piece.blob];
        if (piece.bytes > 0) {
            std::memcpy(region.bytes().data() + at, blob.data() + piece.blob_offset, piece.bytes);
        }
        at = (at + piece.bytes + 255) / 256 * 256;
        left.blob_offset += piece.bytes;
        left.bytes -= piece.bytes;
        batch.push_back(piece);
        if (left.bytes == 0) pieces_.pop_front();
    }
    Json message = to_message(batch);
    if (region.descriptor() >= 0) message["new_region"] = true;
    Failure failure = say(message, region.descriptor());
    region.close_descriptor();
    return failure;
}

Conversation::Failure Conversation::give_region(const Json& message) {
    std::uint32_t id = 0;
    std::uint64_t bytes = 0;
    if (!read(message, "id", id) || !read(message, "bytes", bytes))
        return nonsense("it needs memory for nothing");
    std::uint64_t most = 0;
    const RunRequest& request = prepared_.request;
    if (id == buffers_region && request.read_buffers) {
        std::vector<std::uint64_t> sizes;
        for (const std::uint32_t blob : request.buffers) sizes.push_back(request.blobs[blob].bytes);
        most = lay_out(sizes).back();
    } else if (id >= first_space_region && id - first_space_region < request.variants.size()) {
        most = request.variants[id - first_space_region].space_bytes;
    }
    if (bytes == 0 || bytes > most) return nonsense("it needs more memory than the run can");
    auto region = SharedRegion::create(bytes);
    if (!region) return GpuFailure{Kind::out_of_memory, region.error().message};
    regions_[id] = std::move(*region);
    Failure failure = say({{"ask", "region"}}, regions_[id].descriptor());
    regions_[id].close_descriptor();
    return failure;
}

}  // namespace warplens::instrumentation
