#include "trace/file/measured_part.h"

#include <utility>

namespace warplens::trace {

MeasuredPart::MeasuredPart(ChunkStore& store, Budget& budget, const Selection& selection)
    : budget_(budget), selection_(selection), warps_(store, budget), visits_(store, budget) {}

Status MeasuredPart::describe(std::string_view json) {
    WARPLENS_TRY(description_, parse_measured(json));
    return {};
}

tl::expected<std::optional<std::uint64_t>, Obstacle> MeasuredPart::next_block() {
    if (!description_) return std::nullopt;
    for (; chunk_ < warps_.chunks().size(); ++chunk_, record_ = 0) {
        const ChunkHeader& header = warps_.chunks()[chunk_]->header;
        if (header.last_block < selection_.first_block || header.first_block > selection_.last_block)
            continue;
        if (auto ok = warps_.load(chunk_); !ok) {
            ++chunk_;
            record_ = 0;
            return tl::unexpected(ok.error());
        }
        for (; record_ < warps_.records().size(); ++record_) {
            const std::uint64_t block = warps_.records()[record_].block;
            if (block >= selection_.first_block && block <= selection_.last_block) return block;
        }
    }
    return std::nullopt;
}

Attempt MeasuredPart::take_block(std::uint64_t block, bool alone) {
    if (!description_) return {};
    WARPLENS_TRY(const auto next, next_block());
    const bool here = next && *next == block;
    if (!here)
        return contains(description_->blocks, block)
                   ? lost(fmt::format("the measured warps of block {} are missing", block))
                   : Attempt{};
    Attempt attempt;
    if (!contains(description_->blocks, block))
        attempt = lost(fmt::format("block {} has unexpected measured warps", block));
    else if (alone != contains(description_->alone, block))
        attempt = lost(fmt::format("block {} has measured warps, but {}", block,
                                   alone ? "its other records are missing" : "no other records should be"));
    for (; record_ < warps_.records().size() && warps_.records()[record_].block == block; ++record_)
        if (attempt) attempt = take_warp(warps_.records()[record_]);
    return attempt;
}

Attempt MeasuredPart::take_warp(const MeasuredWarp& warp) {
    if (warp.visits_begin < visits_taken_until_ || warp.visits_end < warp.visits_begin)
        return lost(fmt::format("the measured visits of warp {} of block {} are out of order", warp.warp,
                                warp.block));
    WARPLENS_TRY(budget_.keep(sizeof(MeasuredWarp)));
    MeasuredWarp made = warp;
    made.visits_begin = made_visits_.size();
    WARPLENS_TRY(visits_.append(warp.visits_begin, warp.visits_end, made_visits_));
    made.visits_end = made_visits_.size();
    made_warps_.push_back(made);
    visits_taken_until_ = warp.visits_end;
    return {};
}

void MeasuredPart::mark() {
    marked_warps_ = made_warps_.size();
    marked_visits_ = made_visits_.size();
}

void MeasuredPart::go_back() {
    made_warps_.resize(marked_warps_);
    made_visits_.resize(marked_visits_);
}

std::shared_ptr<const Measured> MeasuredPart::take() {
    if (!description_) return nullptr;
    auto measured = std::make_shared<Measured>(std::move(description_->measured));
    measured->warps = std::move(made_warps_);
    measured->visits = std::move(made_visits_);
    return measured;
}

}  // namespace warplens::trace
