// Walk: loops that launch kernels are run pass by pass, as long as it is known that they go on: what one pass
// writes, and which pointers it swaps, the next one finds. Of a launch in such a loop the pass with the most
// threads stands for the program, as of several launches the longest is shown; of equals the first.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;
constexpr std::size_t most_pass_steps = 100'000;  // statements; as many are left for what comes after
constexpr int deepest_search = 6;                 // functions that a loop calls, and those that they call

bool is_settled(const Value& value) {
    return value.is_number() && !value.varies && !value.random && !value.element;
}

double threads_in(const WalkedLaunch& launch) {
    double threads = 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(launch.launch.size(), 2); ++i)
        for (const auto& side : extent_of(launch.launch[i]))
            threads *= static_cast<double>(std::max<std::int64_t>(side.value_or(0), 0));
    return threads;
}

}  // namespace

std::array<std::optional<std::int64_t>, 3> extent_of(const Value& value) {
    if (value.kind == Kind::extent) return value.extent;
    if (value.kind == Kind::integer) return {value.integer, 1, 1};
    if (value.kind == Kind::real) return {integer_of(value.real), 1, 1};
    if (value.kind == Kind::list) {
        std::array<std::optional<std::int64_t>, 3> extent{1, 1, 1};
        for (std::size_t i = 0; i < std::min<std::size_t>(value.list.size(), 3); ++i)
            extent[i] = extent_of(value.list[i])[0];
        return extent;
    }
    return {std::nullopt, 1, 1};
}

/// Places in the tokens. An empty `first` or `step`: there is none.
struct Walk::LoopParts {
    bool is_do = false;
    std::size_t first = 0, first_end = 0, condition = 0, condition_end = 0, step = 0, step_end = 0, body = 0,
                body_end = 0;
};

/// Nothing of a loop over a container.
std::optional<Walk::LoopParts> Walk::parts_of_loop(const Tokens& tokens, std::size_t at,
                                                   std::size_t end) const {
    LoopParts loop;
    loop.is_do = tokens[at].is("do");
    std::size_t open = at + 1;
    if (loop.is_do) {
        loop.body = at + 1;
        loop.body_end = passed(tokens, at + 1, end);
        open = loop.body_end + 1;
        if (open >= end || !tokens[loop.body_end].is("while")) return std::nullopt;
    }
    if (open >= end || !tokens[open].is("(")) return std::nullopt;
    const std::size_t close = closing(tokens, open, end);
    if (close >= end) return std::nullopt;
    loop.condition = open + 1;
    loop.condition_end = close;
    if (!loop.is_do) {
        loop.body = close + 1;
        loop.body_end = passed(tokens, loop.body, end);
    }
    if (!tokens[at].is("for")) return loop;
    loop.first = open + 1;
    loop.first_end = loop.condition = std::min(passed(tokens, open + 1, close), close);
    loop.condition_end = loop.condition;
    while (loop.condition_end < close && !tokens[loop.condition_end].is(";")) ++loop.condition_end;
    if (loop.condition_end == close || loop.condition_end == loop.condition) return std::nullopt;
    loop.step = loop.condition_end + 1;
    loop.step_end = close;
    return loop;
}

bool Walk::has_launches(const Tokens& tokens, std::size_t begin, std::size_t end, int depth) const {
    if (has_launch(tokens, begin, end)) return true;
    if (depth >= deepest_search) return false;
    for (std::size_t i = begin; i + 1 < end; ++i) {
        if (!tokens[i].is_word() || !(tokens[i + 1].is("(") || tokens[i + 1].is("<"))) continue;
        const auto [from, to] = functions_.equal_range(tokens[i].text);
        for (auto function = from; function != to; ++function)
            if (has_launches(tokens_, function->second->body, function->second->end, depth + 1)) return true;
    }
    return false;
}

/// One pass. False: the loop was left, or may have been.
bool Walk::run_pass(const Tokens& tokens, const LoopParts& loop) {
    --passes_left_;
    statement(tokens, loop.body, loop.body_end);
    if (frames_.empty() || cut_) return false;
    Frame& frame = frames_.back();
    if (frame.left) {
        if (frame.result.known()) return false;
        frame.left = false;
        if (!std::exchange(frame.continues, false)) return false;
    }
    for (std::size_t from = loop.step; from < loop.step_end; ++from)  // i *= 2, j /= 2
        evaluate(tokens, from, loop.step_end, *this, true);
    return true;
}

/// False: it launches nothing, or it is not known whether it goes on; then nothing has changed.
bool Walk::run_passes(const Tokens& tokens, std::size_t at, std::size_t after) {
    if (second_branch_ || !guard_.known || guard_.condition || passes_left_ <= 0) return false;
    const auto loop = parts_of_loop(tokens, at, after);
    if (!loop || !has_launches(tokens, loop->body, loop->body_end, 0)) return false;
    frames_.back().scopes.emplace_back();
    if (loop->first < loop->first_end) statement(tokens, loop->first, loop->first_end);
    const auto holds = [&] {
        std::size_t from = loop->condition;
        return loaded(evaluate(tokens, from, loop->condition_end, *this, true));
    };
    Value goes_on = loop->is_do ? Value::of(1) : holds();
    if (!is_settled(goes_on)) {
        frames_.back().scopes.pop_back();
        return false;
    }
    const std::size_t first = launches.size();
    const bool cut = std::exchange(cut_, false);
    std::vector<std::size_t> begins;  // of the passes
    bool stays = true;
    while (stays && is_settled(goes_on) && goes_on.number() != 0 && passes_left_ > 0 &&
           steps_ < most_pass_steps) {
        begins.push_back(launches.size());
        stays = run_pass(tokens, *loop);
        if (frames_.empty()) return true;
        if (stays) goes_on = holds();
    }
    const bool ends = !cut_ && (!stays || (is_settled(goes_on) && goes_on.number() == 0));
    cut_ = cut;
    choose_passes(first, begins, ends);
    if (!ends) {
        forget_changes(tokens, loop->condition, loop->step_end);
        forget_changes(tokens, loop->body, loop->body_end);
        end_unknown_loop(tokens, at, after, first);
    }
    frames_.back().scopes.pop_back();
    return true;
}

/// `begins`: the first launch of each pass. `ends`: after the last of them.
void Walk::choose_passes(std::size_t first, const std::vector<std::size_t>& begins, bool ends) {
    using Place = std::tuple<std::uint32_t, std::uint32_t, std::string, std::vector<std::string>, int>;
    std::map<Place, std::size_t> chosen;
    for (std::size_t pass = 0; pass < begins.size(); ++pass) {
        std::map<Place, int> seen;
        const std::size_t end = pass + 1 < begins.size() ? begins[pass + 1] : launches.size();
        for (std::size_t i = std::max(first, begins[pass]); i < end; ++i) {
            WalkedLaunch& launch = launches[i];
            if (launch.repeated) continue;
            Place place{launch.origin.file, launch.origin.line, launch.kernel, launch.template_arguments, 0};
            std::get<int>(place) = seen[place]++;
            const auto [known, is_new] = chosen.emplace(place, i);
            if (!is_new && (!ends || threads_in(launch) <= threads_in(launches[known->second]))) {
                launch.repeated = true;
                continue;
            }
            if (is_new) continue;
            launches[known->second].repeated = true;
            known->second = i;
            launch.pass = static_cast<std::int64_t>(pass) + 1;
            launch.passes = static_cast<std::int64_t>(begins.size());
        }
    }
}

}  // namespace warplens::instrumentation::host_code
