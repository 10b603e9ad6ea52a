#include "trace/file/json_members.h"

#include <fmt/format.h>

namespace warplens::trace {

Members::Members(const Json& object, std::string where, std::string& error)
    : object_(object), where_(std::move(where)), error_(error) {
    if (!object.is_object()) complain("", "JSON object");
}

void Members::get(const char* key, bool& value) {
    const Json* member = object_.find(key);
    if (!member) return;
    if (!member->is_boolean()) return complain(key, "boolean");
    value = member->as_bool();
}

void Members::get(const char* key, int& value) {
    const Json* member = object_.find(key);
    if (!member) return;
    const bool small =
        member->is_integer() && member->as_int() >= -0x7fffffff && member->as_int() <= 0x7fffffff;
    if (!small) return complain(key, "number in range");
    value = static_cast<int>(member->as_int());
}

void Members::get(const char* key, double& value) {
    const Json* member = object_.find(key);
    if (!member) return;
    if (!member->is_number()) return complain(key, "number");
    value = member->as_double();
}

void Members::get(const char* key, std::string& value) {
    const Json* member = object_.find(key);
    if (!member) return;
    if (!member->is_string()) return complain(key, "text");
    value = member->as_string();
}

void Members::get(const char* key, Dim3& value) {
    const Json* member = object_.find(key);
    if (!member) return;
    if (!member->is_array() || member->size() != 3) return complain(key, "list of three numbers");
    std::uint32_t* parts[] = {&value.x, &value.y, &value.z};
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& part = (*member)[i];
        if (!part.is_unsigned() || part.as_unsigned() > 0xffffffffu)
            return complain(key, "list of three numbers");
        *parts[i] = static_cast<std::uint32_t>(part.as_unsigned());
    }
}

void Members::get(const char* key, std::vector<std::string>& values) {
    const Json* member = list_at(key);
    if (!member) return;
    for (const Json& one : *member) {
        if (!one.is_string()) return complain(key, "list of texts");
        values.push_back(one.as_string());
    }
}

std::uint64_t Members::number_at(const char* key, std::uint64_t missing, std::uint64_t most) {
    const Json* member = object_.find(key);
    if (!member) return missing;
    if (member->is_unsigned() && member->as_unsigned() <= most) return member->as_unsigned();
    complain(key, "number in range");
    return missing;
}

const Json* Members::list_at(const char* key) {
    const Json* member = object_.find(key);
    if (!member || member->is_array()) return member;
    complain(key, "list");
    return nullptr;
}

void Members::complain(const char* key, std::string_view wanted) {
    if (error_.empty()) error_ = fmt::format("{}{}{} is not a {}", where_, *key ? "." : "", key, wanted);
}

}  // namespace warplens::trace
