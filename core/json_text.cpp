#include "core/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using Library = nlohmann::json;

constexpr int most_text_depth = 256;

/// Builds a Json from the library's events. It refuses deep values, because destructors and writers recurse.
class Builder {
  public:
    explicit Builder(int most_depth) : most_depth_(most_depth) {}

    bool null() { return put(nullptr); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(Library::number_integer_t value) { return put(value); }
    bool number_unsigned(Library::number_unsigned_t value) { return put(value); }
    bool number_float(Library::number_float_t value, const std::string&) { return put(value); }
    bool string(std::string& value) { return put(std::move(value)); }
    bool binary(Library::binary_t&) { return false; }
    bool key(std::string& value) {
        names_.back() = std::move(value);
        return true;
    }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string&, const Library::exception&) { return false; }

    Json take() { return std::move(root_); }

  private:
    bool open(Json container) {
        open_.push_back(std::move(container));
        names_.emplace_back();
        return static_cast<int>(open_.size()) <= most_depth_;
    }
    bool close() {
        Json done = std::move(open_.back());
        open_.pop_back();
        names_.pop_back();
        return put(std::move(done));
    }
    bool put(Json value) {
        if (open_.empty()) root_ = std::move(value);
        else if (open_.back().is_array()) open_.back().push_back(std::move(value));
        else open_.back().add(std::move(names_.back()), std::move(value));
        return true;
    }

    int most_depth_;
    Json root_;
    std::vector<Json> open_;          // containers that have not ended, from the outside in
    std::vector<std::string> names_;  // of each one's next member
};

/// The library leaves U+007F to U+009F as they are. JSON allows that, but terminals obey them, and what the
/// output would put in their place is no JSON.
std::string with_escaped_controls(const std::string& text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
        if (byte == 0x7f) {
            result += "\\u007f";
        } else if (byte == 0xc2 && next < 0xa0) {
            result += fmt::format("\\u{:04x}", next);
            ++at;
        } else {
            result += text[at];
        }
    }
    return result;
}

std::string scalar_text(const Library& scalar) {
    return with_escaped_controls(scalar.dump(-1, ' ', false, Library::error_handler_t::replace));
}

class Writer {
  public:
    Writer(int indent, MemberOrder order) : indent_(indent), order_(order) {}

    void write(const Json& value) {
        if (value.is_object()) {
            list('{', in_order(value.members()), '}', [&](const Json::Member* member) {
                text_ += scalar_text(member->name);
                text_ += indent_ < 0 ? ":" : ": ";
                write(member->value);
            });
        } else if (value.is_array()) {
            list('[', value, ']', [&](const Json& item) { write(item); });
        } else if (value.is_string()) {
            text_ += scalar_text(value.as_string());
        } else if (value.is_unsigned()) {
            text_ += fmt::format("{}", value.as_unsigned());
        } else if (value.is_integer()) {
            text_ += fmt::format("{}", value.as_int());
        } else if (value.is_number()) {
            text_ += scalar_text(value.as_double());
        } else {
            text_ += value.is_null() ? "null" : value.as_bool() ? "true" : "false";
        }
    }

    std::string take() { return std::move(text_); }

  private:
    std::vector<const Json::Member*> in_order(const std::vector<Json::Member>& members) const {
        std::vector<const Json::Member*> pointers;
        for (const Json::Member& member : members) pointers.push_back(&member);
        if (order_ == MemberOrder::by_name) std::ranges::stable_sort(pointers, {}, &Json::Member::name);
        return pointers;
    }
    template <class Items, class Write>
    void list(char opening, const Items& items, char closing, Write write_item) {
        text_ += opening;
        ++depth_;
        bool first = true;
        for (const auto& item : items) {
            if (!first) text_ += ',';
            first = false;
            new_line();
            write_item(item);
        }
        --depth_;
        if (!first) new_line();
        text_ += closing;
    }
    void new_line() {
        if (indent_ < 0) return;
        text_ += '\n';
        text_.append(static_cast<std::size_t>(indent_ * depth_), ' ');
    }

    int indent_;
    MemberOrder order_;
    int depth_ = 0;
    std::string text_;
};

Library to_library(const Json& value) {
    if (value.is_object()) {
        Library object = Library::object();
        for (const Json::Member& member : value.members()) object[member.name] = to_library(member.value);
        return object;
    }
    if (value.is_array()) {
        Library array = Library::array();
        for (const Json& item : value) array.push_back(to_library(item));
        return array;
    }
    if (value.is_string()) return value.as_string();
    if (value.is_unsigned()) return value.as_unsigned();
    if (value.is_integer()) return value.as_int();
    if (value.is_number()) return value.as_double();
    if (value.is_boolean()) return value.as_bool();
    return nullptr;
}

/// One type of input for all formats, because each makes the library's readers again.
std::optional<Json> parsed(std::span<const std::uint8_t> bytes, Library::input_format_t format,
                           int most_depth) {
    Builder builder(most_depth);
    if (!Library::sax_parse(bytes.begin(), bytes.end(), &builder, format)) return std::nullopt;
    return builder.take();
}

}  // namespace

std::string json_text(const Json& value, int indent, MemberOrder order) {
    Writer writer(indent, order);
    writer.write(value);
    return writer.take();
}

std::optional<Json> parse_json(std::string_view text) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return parsed({bytes, text.size()}, Library::input_format_t::json, most_text_depth);
}

std::vector<std::uint8_t> to_cbor(const Json& value) { return Library::to_cbor(to_library(value)); }

std::optional<Json> parse_cbor(std::span<const std::uint8_t> bytes, int most_depth) {
    return parsed(bytes, Library::input_format_t::cbor, most_depth);
}

}  // namespace warplens
