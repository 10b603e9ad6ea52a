#include "instrumentation/catalog/aggregate.h"

#include <algorithm>
#include <optional>

#include "core/number_text.h"
#include "core/trimmed.h"
#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint32_t most_bytes = 32764;  // of all parameters: CUDA programming guide, "__global__"

int hexadecimal(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Result<Aggregate> parse_bytes(std::string_view digits, const std::string& whole) {
    Aggregate aggregate;
    if (digits.empty() || digits.size() % 2 != 0 || digits.size() / 2 > most_bytes)
        return fail(
            "{}: bytes are written as pairs of hexadecimal digits, lowest address first: bytes:0000803f",
            whole);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const int high = hexadecimal(digits[i]), low = hexadecimal(digits[i + 1]);
        if (high < 0 || low < 0) return fail("{}: '{}' is not a byte", whole, digits.substr(i, 2));
        aggregate.contents.push_back(static_cast<std::byte>(high * 16 + low));
    }
    aggregate.bytes = static_cast<std::uint32_t>(aggregate.contents.size());
    return aggregate;
}

/// 0: there is no such type.
std::uint32_t bytes_of(std::string_view type) {
    if (type == "ptr" || type == "texture" || type == "surface") return 8;
    const ScalarType* const scalar = find_scalar_type(type);
    return scalar ? scalar->bytes : 0;
}

/// "i32[4]=n" without its place in the structure; nothing when it is of another form.
std::optional<AggregateMember> read_member(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    AggregateMember member;
    std::string_view type = trimmed(text.substr(0, equals));
    member.value = trimmed(text.substr(equals + 1));
    if (const std::size_t open = type.find('['); open != std::string_view::npos) {
        std::string_view left = type.substr(open + 1);
        const auto count = take_number<decltype(member.count)>(left);
        if (!count || left != "]") return std::nullopt;
        member.count = *count;
        type = type.substr(0, open);
    }
    member.type = type;
    member.bytes = bytes_of(type);
    if (member.bytes == 0 || member.value.empty()) return std::nullopt;
    return member;
}

}  // namespace

bool is_image_handle(const AggregateMember& member) {
    return member.type == "texture" || member.type == "surface";
}

bool is_aggregate(std::string_view text) { return text.starts_with("struct:") || text.starts_with("bytes:"); }

std::vector<std::string> split_members(std::string_view text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c == ',' && depth == 0) parts.emplace_back();
        else parts.back().push_back(c);
    }
    for (std::string& part : parts) part = std::string(trimmed(part));
    return parts;
}

Result<Aggregate> parse_aggregate(const std::string& text) {
    if (text.starts_with("bytes:")) return parse_bytes(std::string_view(text).substr(6), text);
    const std::string_view body = std::string_view(text).substr(std::min<std::size_t>(7, text.size()));
    if (!text.starts_with("struct:") || body.size() < 2 || body.front() != '{' || body.back() != '}')
        return fail("{}: a structure is written struct:{{f32=2.5,i32=7}}, member by member", text);
    Aggregate aggregate;
    std::uint32_t at = 0, widest = 1;
    for (const std::string& part : split_members(body.substr(1, body.size() - 2))) {
        auto read = read_member(part);
        if (!read)
            return fail(
                "{}: the member '{}' is not TYPE=VALUE or TYPE[COUNT]=VALUE; types are bool, i8 to u64, f16, "
                "bf16, f32, f64, ptr, texture and surface",
                text, part);
        AggregateMember& member = *read;
        at = (at + member.bytes - 1) / member.bytes * member.bytes;
        member.offset = at;
        if (member.count == 0 || at > most_bytes ||
            std::uint64_t{member.bytes} * member.count > most_bytes - at)
            return fail("{}: the member '{}' has no element, or too many for a kernel's parameters", text,
                        part);
        at += member.bytes * member.count;
        widest = std::max(widest, member.bytes);
        aggregate.members.push_back(std::move(member));
    }
    aggregate.bytes = (at + widest - 1) / widest * widest;
    return aggregate;
}

}  // namespace warplens::instrumentation
