// Reads JSON of a .wltrace member by member: missing members keep their default, unknown ones are ignored,
// and the first error is reported with its location. Shared by the descriptions of trace/file.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json_text.h"
#include "core/launch.h"

namespace warplens::trace {

using Json = nlohmann::json;

/// Bytes that are not UTF-8 become U+FFFD.
inline std::string printed(const Json& json) { return json_text(json); }

/// Reads the members of an object and keeps the first error. A missing member is not an error.
class Members {
  public:
    Members(const Json& object, std::string where, std::string& error)
        : object_(object), where_(std::move(where)), error_(error) {
        if (!object.is_object()) complain("", "JSON object");
    }

    template <class T>
    requires std::is_unsigned_v<T>
    void get(const char* key, T& value) {
        const Json* member = find(key);
        if (!member) return;
        if constexpr (std::is_same_v<T, bool>) {
            if (!member->is_boolean()) return complain(key, "boolean");
            value = member->get<bool>();
        } else {
            if (!member->is_number_unsigned() || member->get<std::uint64_t>() > std::numeric_limits<T>::max())
                return complain(key, "number in range");
            value = static_cast<T>(member->get<std::uint64_t>());
        }
    }

    void get(const char* key, int& value) {
        const Json* member = find(key);
        if (!member) return;
        const bool small = member->is_number_integer() && member->get<std::int64_t>() >= -0x7fffffff &&
                           member->get<std::int64_t>() <= 0x7fffffff;
        if (!small) return complain(key, "number in range");
        value = member->get<int>();
    }

    void get(const char* key, double& value) {
        const Json* member = find(key);
        if (!member) return;
        if (!member->is_number()) return complain(key, "number");
        value = member->get<double>();
    }

    void get(const char* key, std::string& value) {
        const Json* member = find(key);
        if (!member) return;
        if (!member->is_string()) return complain(key, "text");
        value = member->get_ref<const std::string&>();
    }

    /// A word of `word_of` for an enumerator up to `last`; all enumerations count from 0 without gaps.
    template <class Enum, class WordOf>
    void get(const char* key, Enum& value, Enum last, WordOf word_of) {
        std::string word;
        get(key, word);
        if (!find(key) || !error_.empty()) return;
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

    void get(const char* key, Dim3& value) {
        const Json* member = find(key);
        if (!member) return;
        if (!member->is_array() || member->size() != 3) return complain(key, "list of three numbers");
        std::uint32_t* parts[] = {&value.x, &value.y, &value.z};
        for (std::size_t i = 0; i < 3; ++i) {
            const Json& part = (*member)[i];
            if (!part.is_number_unsigned() || part.get<std::uint64_t>() > 0xffffffffu)
                return complain(key, "list of three numbers");
            *parts[i] = part.get<std::uint32_t>();
        }
    }

    void get(const char* key, std::vector<std::string>& values) {
        const Json* member = find(key);
        if (!member) return;
        if (!member->is_array()) return complain(key, "list");
        for (const Json& one : *member) {
            if (!one.is_string()) return complain(key, "list of texts");
            values.push_back(one.get_ref<const std::string&>());
        }
    }

    /// Calls read(members of the element) for each object of a list.
    template <class Element, class Read>
    void list(const char* key, std::vector<Element>& elements, Read read) {
        const Json* member = find(key);
        if (!member) return;
        if (!member->is_array()) return complain(key, "list");
        for (const Json& json : *member) {
            Members element(json, where_ + "." + key, error_);
            if (!error_.empty()) return;
            read(element, elements.emplace_back());
        }
    }

    template <class Read>
    void object(const char* key, Read read) {
        const Json* member = find(key);
        if (!member) return;
        Members inner(*member, where_ + "." + key, error_);
        if (error_.empty()) read(inner, *member);
    }

    void complain(const char* key, std::string_view wanted) {
        if (error_.empty()) error_ = fmt::format("{}{}{} is not a {}", where_, *key ? "." : "", key, wanted);
    }

  private:
    const Json* find(const char* key) const {
        if (!object_.is_object()) return nullptr;
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }

    const Json& object_;
    std::string where_;
    std::string& error_;
};

}  // namespace warplens::trace
