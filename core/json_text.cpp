#include "core/json_text.h"

#include <nlohmann/json.hpp>

namespace warplens {
namespace {

template <class Json>
std::string written(const Json& value, int indent) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string json_text(const nlohmann::json& value, int indent) { return written(value, indent); }
std::string json_text(const nlohmann::ordered_json& value, int indent) { return written(value, indent); }

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }
nlohmann::ordered_json parse_ordered_json(std::string_view text) {
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

}  // namespace warplens
