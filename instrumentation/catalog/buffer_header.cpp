#include "instrumentation/catalog/buffer_header.h"

namespace warplens::instrumentation {

namespace {

const Names element_types{"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "f32", "f64"};
const Names fills{"zero", "iota", "constant", "formula", "ring", "random", "lcg", "file", "none"};

/// The key that belongs to the fill, of those given.
struct FillKeys {
    std::string value, step, below, path;
};

Status check_fill(const HeaderFields& fields, const HeaderNode& node, const std::string& where,
                  const BufferDeclaration& buffer, const FillKeys& keys) {
    const auto misplaced = [&](const char* key, const char* fill) {
        return fields.error_at(node, "{} has `{}`, which belongs to fill {} alone", where, key, fill);
    };
    const std::string& fill = buffer.fill;
    const bool generated = fill == "random" || fill == "lcg";
    const bool known = !buffer.element_type.empty(), real = known && buffer.element_type[0] == 'f';
    if (!keys.value.empty() && fill != "constant" && fill != "formula")
        return misplaced("value", "constant and formula");
    if (!keys.step.empty() && fill != "ring") return misplaced("step", "ring");
    if (!keys.below.empty() && !generated) return misplaced("below", "random and lcg");
    if (!buffer.seed.empty() && !generated && fill != "formula")
        return misplaced("seed", "random, lcg and formula");
    if (!keys.path.empty() && fill != "file") return misplaced("path", "file");
    if ((fill == "constant" || fill == "formula") && keys.value.empty())
        return fields.error_at(node, "{} lacks the {}'s `value`", where, fill);
    if (fill == "ring" && real)
        return fields.error_at(node, "{} has real numbers, but a ring is made of indices", where);
    if (fill == "ring" && keys.step.empty())
        return fields.error_at(node, "{} lacks the ring's `step`", where);
    if (fill == "file" && keys.path.empty())
        return fields.error_at(node, "{} lacks the file's `path`", where);
    if (fill == "random" && known && !real && keys.below.empty()) {
        return fields.error_at(node, "{} lacks `below`: its random integers lie in 0 to below - 1", where);
    }
    if (generated && real && !keys.below.empty()) {
        return fields.error_at(node, "{} takes no `below`: its real numbers lie in 0 to 1", where);
    }
    return {};
}

}  // namespace

const Names& buffer_keys() {
    static const Names keys{"type", "fill", "value", "step", "below", "seed", "path"};
    return keys;
}

Status read_elements(HeaderFields& fields, const HeaderNode& node, const std::string& where,
                     BufferDeclaration& buffer) {
    FillKeys keys;
    Status status = fields.read_choice(node, "type", element_types, buffer.element_type)
                        .and_then([&] { return fields.read_choice(node, "fill", fills, buffer.fill); })
                        .and_then([&] { return fields.read_expression(node, "value", keys.value); })
                        .and_then([&] { return fields.read_expression(node, "step", keys.step); })
                        .and_then([&] { return fields.read_expression(node, "below", keys.below); })
                        .and_then([&] { return fields.read_expression(node, "seed", buffer.seed); })
                        .and_then([&] { return fields.read_text(node, "path", keys.path); });
    if (!status) return status;
    if (buffer.fill.empty()) buffer.fill = "zero";
    if (status = check_fill(fields, node, where, buffer, keys); !status) return status;
    for (const std::string* key : {&keys.value, &keys.step, &keys.below, &keys.path})
        if (!key->empty()) buffer.fill_argument = *key;
    return {};
}

}  // namespace warplens::instrumentation
