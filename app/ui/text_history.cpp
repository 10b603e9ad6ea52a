#include "app/ui/text_history.h"

namespace warplens::app {
namespace {

constexpr double one_stretch = 1;              // seconds
constexpr std::size_t most_bytes = 64u << 20;  // of texts kept

}  // namespace

void TextHistory::note(const TextState& before, std::size_t size_after, double seconds) {
    const bool grew = size_after >= before.text.size();
    const bool goes_on =
        !done_.empty() && seconds - last_seconds_ < one_stretch && grew == last_grew_ && undone_.empty();
    last_seconds_ = seconds;
    last_grew_ = grew;
    undone_.clear();
    if (goes_on) return;
    bytes_ += before.text.size();
    done_.push_back(before);
    while (bytes_ > most_bytes && done_.size() > 1) {
        bytes_ -= done_.front().text.size();
        done_.erase(done_.begin());
    }
}

std::optional<TextState> TextHistory::undo(const TextState& now) {
    if (done_.empty()) return std::nullopt;
    TextState state = std::move(done_.back());
    done_.pop_back();
    bytes_ -= state.text.size();
    undone_.push_back(now);
    last_seconds_ = -1e9;
    return state;
}

std::optional<TextState> TextHistory::redo(const TextState& now) {
    if (undone_.empty()) return std::nullopt;
    TextState state = std::move(undone_.back());
    undone_.pop_back();
    bytes_ += now.text.size();
    done_.push_back(now);
    last_seconds_ = -1e9;
    return state;
}

void TextHistory::clear() { *this = {}; }

}  // namespace warplens::app
