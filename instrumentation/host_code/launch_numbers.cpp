#include "instrumentation/host_code/launch_numbers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "instrumentation/host_code/tokens.h"

namespace warplens::instrumentation::host_code {
namespace {

struct Range {
    std::size_t begin = 0, end = 0;  // of tokens
};

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }

/// What commas divide, outside of brackets.
std::vector<Range> parts_of(const Tokens& tokens, Range whole) {
    std::vector<Range> parts;
    std::size_t begin = whole.begin;
    for (std::size_t at = whole.begin; at < whole.end; ++at) {
        if (opens(tokens[at])) at = std::min(closing(tokens, at, whole.end), whole.end - 1);
        if (!tokens[at].is(",")) continue;
        parts.push_back({begin, at});
        begin = at + 1;
    }
    if (begin < whole.end) parts.push_back({begin, whole.end});
    return parts;
}

bool begins_statement(const Token& token) { return token.is(";") || token.is("{") || token.is("}"); }

/// What the last declaration of the variable before `before` says after its name: of `dim3 block(16, 16);`
/// the bracket, of `int blocks = (n + 255) / 256;` all from `=`. Empty where there is none.
Range initializer_of(const Tokens& tokens, std::size_t before) {
    const std::string_view name = tokens[before].text;
    for (std::size_t at = before; at-- > 1;) {
        if (tokens[at].text != name || at + 1 >= tokens.size()) continue;
        const Token &previous = tokens[at - 1], &next = tokens[at + 1];
        const bool declares = (previous.is_word() && !previous.is("return")) || previous.is(",");
        if (!declares || (!opens(next) && !next.is("="))) continue;
        if (opens(next)) return {at + 2, closing(tokens, at + 1, before)};
        std::size_t end = at + 2;
        while (end < before && !begins_statement(tokens[end]) && !tokens[end].is(","))
            end = opens(tokens[end]) ? closing(tokens, end, before) + 1 : end + 1;
        return {at + 2, std::min(end, before)};
    }
    return {};
}

/// An argument of a configuration; where it is a variable's name, what the variable is made of.
Range made_of(const Tokens& tokens, Range argument) {
    const bool is_name = argument.end == argument.begin + 1 && tokens[argument.begin].is_word();
    return is_name ? initializer_of(tokens, argument.begin) : argument;
}

/// The template arguments that end in front of `at`, with their brackets; empty where there are none.
Range template_arguments_before(const Tokens& tokens, std::size_t at) {
    constexpr std::size_t most_tokens = 200;  // of any template arguments that a launch gives
    if (at == 0 || !tokens[at - 1].is(">")) return {at, at};
    for (std::size_t i = at - 1; i > 0 && at - i < most_tokens && !begins_statement(tokens[i]); --i)
        if (tokens[i].is("<") && after_template_arguments(tokens, i, at) == at) return {i, at};
    return {at, at};
}

/// The extents of `dim3(4, n / 16)`, of what declares a dim3, or of a number.
std::vector<Range> extents_of(const Tokens& tokens, Range all) {
    if (all.end > all.begin + 2 && tokens[all.begin].is("dim3")) all = {all.begin + 2, all.end - 1};
    return parts_of(tokens, all);
}

/// A configuration's parts, each with its numbers.
struct Configuration {
    std::vector<std::vector<NamedNumber>> block, grid;  // of each extent; of the grid those that are computed
    std::vector<NamedNumber> others;                    // template arguments, bytes of shared memory
};

Configuration configuration_of(const Tokens& tokens, std::size_t at, const std::vector<Range>& arguments,
                               const std::string& source) {
    Configuration out;
    const auto numbers_of = [&](Range range) { return numbers_in(tokens, range.begin, range.end, source); };
    for (const Range& extent : extents_of(tokens, made_of(tokens, arguments[1])))
        out.block.push_back(numbers_of(extent));
    // A number that is all of an extent of the grid does not follow from the block.
    for (const Range& extent : extents_of(tokens, made_of(tokens, arguments[0])))
        out.grid.push_back(extent.end > extent.begin + 1 ? numbers_of(extent) : std::vector<NamedNumber>());
    out.others = numbers_of(template_arguments_before(tokens, at));
    if (arguments.size() > 2)
        std::ranges::copy(numbers_of(made_of(tokens, arguments[2])), std::back_inserter(out.others));
    return out;
}

/// The numbers of this value and, where they round up, of one less.
void add_equal(const std::vector<NamedNumber>& numbers, std::uint64_t value, bool rounds_up,
               std::vector<NamedNumber>& places) {
    for (const NamedNumber& number : numbers)
        if (number.value == value || (rounds_up && number.value + 1 == value)) places.push_back(number);
}

void add_launch(const Tokens& tokens, std::size_t at, const std::string& source,
                std::vector<LaunchNumber>& found) {
    std::size_t end = at + 1;
    while (end < tokens.size() && !tokens[end].is(">>>") && !tokens[end].is(";")) ++end;
    const auto arguments = parts_of(tokens, {at + 1, end});
    if (arguments.size() < 2) return;
    const Configuration launch = configuration_of(tokens, at, arguments, source);
    std::vector<std::uint64_t> values;
    for (const auto& extent : launch.block)
        for (const NamedNumber& number : extent)
            if (number.value >= 2 && std::ranges::find(values, number.value) == values.end())
                values.push_back(number.value);
    for (const std::uint64_t value : values) {
        LaunchNumber all{value, false, tokens[at].line, {}}, along_x{value, true, tokens[at].line, {}};
        for (const auto& extent : launch.block) add_equal(extent, value, false, all.places);
        add_equal(launch.others, value, false, all.places);
        for (const auto& extent : launch.grid) add_equal(extent, value, true, all.places);
        add_equal(launch.block.front(), value, false, along_x.places);
        if (!launch.grid.empty()) add_equal(launch.grid.front(), value, true, along_x.places);
        const auto has_value = [&](const std::vector<NamedNumber>& extent) {
            return std::ranges::find(extent, value, &NamedNumber::value) != extent.end();
        };
        const bool is_several =
            has_value(launch.block.front()) && std::ranges::count_if(launch.block, has_value) > 1;
        found.push_back(std::move(all));
        if (is_several) found.push_back(std::move(along_x));
    }
}

bool share_a_place(const LaunchNumber& one, const LaunchNumber& other) {
    return one.value == other.value && one.along_x == other.along_x &&
           std::ranges::any_of(one.places, [&](const NamedNumber& place) {
               return std::ranges::find(other.places, place.offset, &NamedNumber::offset) !=
                      other.places.end();
           });
}

}  // namespace

std::vector<LaunchNumber> launch_numbers(const std::string& source) {
    const Tokens tokens = tokenize(source);
    std::vector<LaunchNumber> single, joined;
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if (tokens[at].is("<<<")) add_launch(tokens, at, source, single);
    for (LaunchNumber& launch : single) {
        const auto same = std::ranges::find_if(
            joined, [&](const LaunchNumber& other) { return share_a_place(launch, other); });
        if (same == joined.end()) joined.push_back(std::move(launch));
        else std::ranges::move(launch.places, std::back_inserter(same->places));
    }
    for (LaunchNumber& launch : joined) {
        std::ranges::sort(launch.places, {}, &NamedNumber::offset);
        const auto same = [](const NamedNumber& a, const NamedNumber& b) { return a.offset == b.offset; };
        launch.places.erase(std::unique(launch.places.begin(), launch.places.end(), same),
                            launch.places.end());
    }
    return joined;
}

}  // namespace warplens::instrumentation::host_code
