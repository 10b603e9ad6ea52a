// Walk: alternatives, of which one run or one iteration follows one: the sides of an `if`, the cases of a
// switch.
#include <utility>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

using Kind = Value::Kind;

Walk::Alternatives::Alternatives(Walk& walk, bool in_iterations, Origin at)
    : walk_(walk),
      outer_(std::exchange(walk.before_kernels_, &before_)),
      in_iterations_(in_iterations),
      at_(at) {}

void Walk::Alternatives::next() {
    for (const auto& [storage, contents] : before_) {
        if (!finds_again(contents)) continue;
        after_.emplace(storage, storage->contents);
        storage->contents = contents;
    }
}

/// In another iteration only what this one has filled before its alternatives.
bool Walk::Alternatives::finds_again(const Contents& contents) const {
    if (!in_iterations_ || walk_.loop_starts_.empty()) return true;
    const Origin start = walk_.loop_starts_.back(), filled = contents.origin;
    return contents.kind == Contents::Kind::known && filled.file == at_.file && start.file == at_.file &&
           filled.line >= start.line && filled.line <= at_.line;
}

/// After them memory is as after the first one that has changed it.
Walk::Alternatives::~Alternatives() {
    walk_.before_kernels_ = outer_;
    for (auto& [storage, contents] : after_) storage->contents = std::move(contents);
    if (outer_ != nullptr) outer_->insert(before_.begin(), before_.end());
}

std::size_t Walk::choice(const Tokens& tokens, std::size_t at, std::size_t end) {
    std::size_t open = at + 1;
    while (open < end && !tokens[open].is("(")) ++open;
    const std::size_t close = closing(tokens, open, end);
    std::size_t from = open + 1;
    const Value value = evaluate(tokens, from, close, *this);
    const std::size_t body = std::min(close + 1, end), after = passed(tokens, body, end);
    if (body >= end || !tokens[body].is("{")) return after;
    const std::size_t body_end = closing(tokens, body, end);
    std::size_t otherwise = body_end, start = body_end;
    std::vector<std::size_t> labels;
    for (std::size_t i = body + 1; i < body_end; ++i) {
        if (tokens[i].is("{") || tokens[i].is("(")) {
            i = closing(tokens, i, body_end);  // may be the end
            continue;
        }
        if (!tokens[i].is("default") && !tokens[i].is("case")) continue;
        labels.push_back(i);
        if (tokens[i].is("default")) otherwise = i;
        else if (start == body_end) {
            std::size_t label = i + 1;
            const Value of = evaluate(tokens, label, body_end, *this);
            const bool same =
                value.kind == Kind::integer && of.kind == Kind::integer && of.integer == value.integer;
            if (same || !value.known()) start = i;
        }
    }
    if (start == body_end) start = otherwise;
    const bool uncertain = std::exchange(uncertain_, false);
    Alternatives cases(*this, value.varies, {tokens[at].file, tokens[at].line});
    block(tokens, start, body_end);
    if (!frames_.empty() && !frames_.back().result.known()) frames_.back().left = false;
    if (value.varies || !value.known()) other_cases(tokens, labels, start, body_end, cases);
    uncertain_ = uncertain;
    return after;
}

/// What a switch does for other values, in another iteration or another run.
void Walk::other_cases(const Tokens& tokens, const std::vector<std::size_t>& labels, std::size_t followed,
                       std::size_t end, Alternatives& cases) {
    const bool second = std::exchange(second_branch_, true), cut = cut_;
    const Guard guard = guard_;
    uncertain_ = true;
    guard_.known = false;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] == followed) continue;
        cases.next();
        block(tokens, labels[i], i + 1 < labels.size() ? labels[i + 1] : end);
    }
    guard_ = guard;
    second_branch_ = second;
    cut_ = cut;
}

}  // namespace warplens::instrumentation::host_code
