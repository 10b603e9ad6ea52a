// Walk: the structures of a file, their sizes and members.
#include <algorithm>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

bool is_array(const Value& value) {
    return value.kind == Value::Kind::memory && value.storage && !value.type.ends_with('*');
}

std::optional<std::int64_t> Walk::size_of(const std::string& written) {
    const std::string type = resolved(written);
    if (const auto known = size_of_type(type)) return known;
    const Item* const own = own_type(type);
    if (!own || open_.size() > 40) return std::nullopt;
    const Item& item = *own;
    std::int64_t bytes = 0, alignment = 1;
    const std::size_t close = closing(tokens_, item.body, item.end);
    for (const Item& member : items_of(tokens_, item.body + 1, close, {})) {
        if (member.kind != ItemKind::variable) continue;
        std::size_t at = member.begin;
        const std::string of = read_type(tokens_, at, member.end, *this);
        const auto size = of == type ? std::nullopt : size_of_type(resolved(of));
        if (!size || *size <= 0) return std::nullopt;
        const std::int64_t aligned = std::min<std::int64_t>(of.ends_with('3') ? *size / 3 : *size, 16);
        for (; at < member.end; ++at) {
            if (!tokens_[at].is_word()) continue;
            std::int64_t count = 1;
            if (at + 1 < member.end && tokens_[at + 1].is("[")) {
                std::size_t inside = at + 2;
                const Value extent = evaluate(tokens_, inside, member.end, *this);
                if (extent.kind != Value::Kind::integer || extent.integer <= 0 || extent.integer > 1 << 20)
                    return std::nullopt;
                count = extent.integer;
                at = closing(tokens_, at + 1, member.end);
            }
            bytes = (bytes + aligned - 1) / aligned * aligned + *size * count;
            alignment = std::max(alignment, aligned);
        }
    }
    if (bytes == 0) return std::nullopt;
    return (bytes + alignment - 1) / alignment * alignment;
}

std::vector<std::pair<std::string, std::string>> Walk::members_of(const std::string& type) {
    std::vector<std::pair<std::string, std::string>> members;
    const Item* const own = own_type(type);
    if (!own) return members;
    const Item& item = *own;
    for (const Item& member : items_of(tokens_, item.body + 1, closing(tokens_, item.body, item.end), {})) {
        if (member.kind != ItemKind::variable) continue;
        std::size_t at = member.begin;
        const std::string of = resolved(read_type(tokens_, at, member.end, *this));
        for (; at < member.end && !tokens_[at].is("="); ++at) {
            if (!tokens_[at].is_word()) continue;
            const bool star = tokens_[at - 1].is("*") && !of.ends_with('*');
            const std::string name(tokens_[at].text), plain = star ? of + "*" : of;
            if (at + 1 >= member.end || !tokens_[at + 1].is("[")) {
                members.emplace_back(name, plain);
                continue;
            }
            const Value elements = array(tokens_, ++at, member.end, plain, name, {});
            const auto size = size_of(plain);
            if (!is_array(elements) || !elements.storage->bytes || !size) return {};
            members.emplace_back(name, plain + "[" + std::to_string(*elements.storage->bytes / *size) + "]");
        }
    }
    return members;
}

/// An object's member before anything is assigned to it.
Value Walk::fresh_member(const Item& member, std::string_view name, Origin origin) {
    Value value;
    std::size_t at = member.begin;
    value.type = resolved(read_type(tokens_, at, member.end, *this));
    while (at < member.end && tokens_[at].text.data() != name.data()) ++at;
    if (at + 1 < member.end && tokens_[at + 1].is("["))
        value = array(tokens_, ++at, member.end, value.type, std::string(name), origin);
    return value;
}

}  // namespace warplens::instrumentation::host_code
