// Json: a JSON value. No template, so that the files that build and read values compile fast; json_text.h
// reads and writes texts.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplens {

class Json {
  public:
    struct Member;

    Json();
    Json(std::nullptr_t);
    Json(std::same_as<bool> auto value) : value_(value) {}
    Json(int value);
    Json(long value);
    Json(long long value);
    Json(unsigned value);
    Json(unsigned long value);
    Json(unsigned long long value);
    Json(double value);
    Json(const char* text);
    Json(std::string_view text);
    Json(std::string text);
    /// {{"name", value}, …} is an object, any other list an array.
    Json(std::initializer_list<Json> items);
    /// The members of a map, or the items of a container.
    template <class Items>
    requires requires { typename Items::value_type; }
    Json(const Items& items) {
        if constexpr (requires { typename Items::mapped_type; }) {
            *this = object();
            for (const auto& [name, value] : items) (*this)[name] = value;
        } else {
            *this = array();
            for (const auto& item : items) push_back(item);
        }
    }
    Json(const Json&);
    Json(Json&&) noexcept;
    Json& operator=(const Json&);
    Json& operator=(Json&&) noexcept;
    ~Json();

    static Json array(std::initializer_list<Json> items = {});
    static Json object();

    bool is_null() const;
    bool is_boolean() const;
    bool is_string() const;
    bool is_array() const;
    bool is_object() const;
    bool is_number() const;
    bool is_integer() const;
    bool is_unsigned() const;  // an integer that was not negative as text

    // Null, false, 0 or empty where the value is of another kind.
    bool as_bool() const;
    double as_double() const;
    std::int64_t as_int() const;  // at most the largest
    std::uint64_t as_unsigned() const;
    const std::string& as_string() const;

    /// Of an array or object.
    std::size_t size() const;
    /// The items of an array.
    const Json* begin() const;
    const Json* end() const;
    const Json& operator[](std::size_t item) const { return begin()[item]; }
    Json& operator[](std::size_t item) { return const_cast<Json&>(begin()[item]); }
    /// Makes an array of null.
    void push_back(Json item);

    /// In the order in which they were added. A text may repeat a name: the last member of a name counts.
    const std::vector<Member>& members() const;
    /// Nullptr if this is not an object with such a member.
    const Json* find(std::string_view name) const;
    bool contains(std::string_view name) const { return find(name) != nullptr; }
    /// Null if there is no such member.
    const Json& operator[](std::string_view name) const;
    /// Makes an object of null, and adds the member if there is none.
    Json& operator[](std::string_view name);
    /// Adds a member without a search for its name.
    Json& add(std::string name, Json value);

    /// Numbers by their values, objects regardless of their members' order.
    friend bool operator==(const Json& a, const Json& b);

  private:
    using Array = std::vector<Json>;
    using Object = std::vector<Member>;

    // Mutable, because the items of a std::initializer_list are const, and are moved from.
    mutable std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
                         Object>
        value_;
};

struct Json::Member {
    std::string name;
    Json value;

    bool operator==(const Member&) const = default;
};

}  // namespace warplens
