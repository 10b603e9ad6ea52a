// Reads JSON of a .wltrace member by member: missing members keep their default, unknown ones are ignored,
// and the first error is reported with its location. Shared by the descriptions of trace/file.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json_text.h"
#include "core/launch.h"

namespace warplens::trace {

/// Bytes that are not UTF-8 become U+FFFD.
inline std::string printed(const Json& json) { return json_text(json, -1, MemberOrder::by_name); }

/// Reads the members of an object and keeps the first error. A missing member is not an error.
class Members {
  public:
    Members(const Json& object, std::string where, std::string& error);

    bool has(const char* key) const { return object_.find(key) != nullptr; }

    template <std::unsigned_integral T>
    void get(const char* key, T& value) {
        value = static_cast<T>(number_at(key, value, std::numeric_limits<T>::max()));
    }
    void get(const char* key, bool& value);
    void get(const char* key, int& value);
    void get(const char* key, double& value);
    void get(const char* key, std::string& value);
    void get(const char* key, Dim3& value);
    void get(const char* key, std::vector<std::string>& values);

    /// A word of `word_of` for an enumerator up to `last`; all enumerations count from 0 without gaps.
    template <class Enum, class WordOf>
    void get(const char* key, Enum& value, Enum last, WordOf word_of) {
        std::string word;
        get(key, word);
        if (!object_.find(key) || !error_.empty()) return;
        for (int i = 0; i <= static_cast<int>(last); ++i) {
            if (word_of(static_cast<Enum>(i)) != word) continue;
            value = static_cast<Enum>(i);
            return;
        }
        complain(key, "known word");
    }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void get(const char* key, Enum& value, Enum last) {
        get(key, value, last, [](Enum one) { return to_string(one); });
    }

    /// Calls read(members of the element) for each object of a list.
    template <class Element, class Read>
    void list(const char* key, std::vector<Element>& elements, Read read) {
        const Json* member = list_at(key);
        if (!member) return;
        for (const Json& json : *member) {
            Members element(json, where_ + "." + key, error_);
            if (!error_.empty()) return;
            read(element, elements.emplace_back());
        }
    }

    template <class Read>
    void object(const char* key, Read read) {
        const Json* member = object_.find(key);
        if (!member) return;
        Members inner(*member, where_ + "." + key, error_);
        if (error_.empty()) read(inner, *member);
    }

    void complain(const char* key, std::string_view wanted);

  private:
    std::uint64_t number_at(const char* key, std::uint64_t missing, std::uint64_t most);
    const Json* list_at(const char* key);

    const Json& object_;
    std::string where_;
    std::string& error_;
};

}  // namespace warplens::trace
