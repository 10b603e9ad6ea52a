#include "core/json.h"

#include <algorithm>
#include <limits>

namespace warplens {
namespace {

const Json null_value;
const std::string no_text;
const std::vector<Json::Member> no_members;

}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(int value) : value_(std::int64_t{value}) {}
Json::Json(long value) : value_(std::int64_t{value}) {}
Json::Json(long long value) : value_(std::int64_t{value}) {}
Json::Json(unsigned value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long long value) : value_(std::uint64_t{value}) {}
Json::Json(double value) : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> items) {
    const bool named = std::all_of(items.begin(), items.end(), [](const Json& item) {
        return item.is_array() && item.size() == 2 && item[std::size_t{0}].is_string();
    });
    if (!named) {
        *this = array(items);
        return;
    }
    Object& object = value_.emplace<Object>();
    object.reserve(items.size());
    for (const Json& item : items) {
        Array& pair = std::get<Array>(item.value_);
        object.push_back({std::move(std::get<std::string>(pair[0].value_)), std::move(pair[1])});
    }
}

Json Json::array(std::initializer_list<Json> items) {
    Json made;
    Array& array = made.value_.emplace<Array>();
    array.reserve(items.size());
    for (const Json& item : items) array.emplace_back().value_ = std::move(item.value_);
    return made;
}

Json Json::object() {
    Json made;
    made.value_.emplace<Object>();
    return made;
}

bool Json::is_null() const { return std::holds_alternative<std::monostate>(value_); }
bool Json::is_boolean() const { return std::holds_alternative<bool>(value_); }
bool Json::is_string() const { return std::holds_alternative<std::string>(value_); }
bool Json::is_array() const { return std::holds_alternative<Array>(value_); }
bool Json::is_object() const { return std::holds_alternative<Object>(value_); }
bool Json::is_unsigned() const { return std::holds_alternative<std::uint64_t>(value_); }
bool Json::is_integer() const { return is_unsigned() || std::holds_alternative<std::int64_t>(value_); }
bool Json::is_number() const { return is_integer() || std::holds_alternative<double>(value_); }

bool Json::as_bool() const { return is_boolean() && std::get<bool>(value_); }

double Json::as_double() const {
    if (const double* real = std::get_if<double>(&value_)) return *real;
    return is_unsigned() ? static_cast<double>(as_unsigned()) : static_cast<double>(as_int());
}

std::int64_t Json::as_int() const {
    if (const auto* whole = std::get_if<std::int64_t>(&value_)) return *whole;
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(as_unsigned(), most));
}

std::uint64_t Json::as_unsigned() const {
    const auto* whole = std::get_if<std::uint64_t>(&value_);
    return whole ? *whole : 0;
}

const std::string& Json::as_string() const { return is_string() ? std::get<std::string>(value_) : no_text; }

std::size_t Json::size() const {
    return is_object() ? members().size() : static_cast<std::size_t>(end() - begin());
}

const Json* Json::begin() const {
    const Array* array = std::get_if<Array>(&value_);
    return array ? array->data() : nullptr;
}

const Json* Json::end() const {
    const Array* array = std::get_if<Array>(&value_);
    return array ? array->data() + array->size() : nullptr;
}

void Json::push_back(Json item) {
    if (is_null()) value_.emplace<Array>();
    std::get<Array>(value_).push_back(std::move(item));
}

const std::vector<Json::Member>& Json::members() const {
    return is_object() ? std::get<Object>(value_) : no_members;
}

const Json* Json::find(std::string_view name) const {
    const Object& object = members();
    const auto found = std::find_if(object.rbegin(), object.rend(),
                                    [&](const Member& member) { return member.name == name; });
    return found == object.rend() ? nullptr : &found->value;
}

const Json& Json::operator[](std::string_view name) const {
    const Json* found = find(name);
    return found ? *found : null_value;
}

Json& Json::operator[](std::string_view name) {
    if (const Json* found = find(name)) return const_cast<Json&>(*found);
    return add(std::string(name), {});
}

Json& Json::add(std::string name, Json value) {
    if (is_null()) value_.emplace<Object>();
    Object& object = std::get<Object>(value_);
    object.push_back({std::move(name), std::move(value)});
    return object.back().value;
}

bool operator==(const Json& a, const Json& b) {
    if (a.is_number() && b.is_number()) {
        if (a.is_integer() && b.is_integer() && a.is_unsigned() == b.is_unsigned())
            return a.value_ == b.value_;
        return a.as_double() == b.as_double();
    }
    if (!a.is_object() || !b.is_object()) return a.value_ == b.value_;
    return a.size() == b.size() && std::ranges::all_of(a.members(), [&](const Json::Member& member) {
               const Json* other = b.find(member.name);
               return other && member.value == *other;
           });
}

}  // namespace warplens
