#include "instrumentation/host_code/expression.h"

namespace warplens::instrumentation::host_code {

namespace {

class NoNames : public Names {
  public:
    Value look_up(const std::string& name, Origin) override { return Value::of(name == "true" ? 1 : 0); }
    Value member(const Value&, const std::string&, Origin) override { return {}; }
    Value call(const Call&) override { return Value::of(0); }
    Value index(const Value&, const Value&) override { return {}; }
    Value assign(const Value&, const Value& value, Origin) override { return value; }
    void read_from_stream(const Value&, Origin) override {}
    std::string resolved(const std::string& type) override { return type; }
    std::optional<std::int64_t> size_of(const std::string&) override { return std::nullopt; }
    bool is_type(const std::string&) override { return false; }
};

}  // namespace

std::optional<std::int64_t> constant_of(const Tokens& tokens) {
    NoNames names;
    std::size_t at = 0;
    const Value value = evaluate(tokens, at, tokens.size(), names);
    return value.kind == Value::Kind::integer ? std::optional(value.integer) : std::nullopt;
}

}  // namespace warplens::instrumentation::host_code
