// Walk: CUDA arrays, and the texture objects that are made of them or of linear memory.
#include <array>
#include <utility>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

Value object_of(std::initializer_list<std::pair<const char*, Value>> members, Origin origin) {
    Value object;
    object.kind = Kind::object;
    object.origin = origin;
    object.fields = std::make_shared<Fields>();
    for (const auto& [name, member] : members) (*object.fields)[name] = std::make_shared<Value>(member);
    return object;
}

/// cudaCreateChannelDesc<uchar4>(), or its bits and the kind of number: "uchar4".
std::string texel_of(const Call& call) {
    if (!call.template_arguments.empty()) return call.template_arguments[0];
    if (call.arguments.size() != 5) return {};
    std::array<std::int64_t, 5> given{};
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (call.arguments[i].kind != Kind::integer) return {};
        given[i] = call.arguments[i].integer;
    }
    const bool real = given[4] == 2, is_unsigned = given[4] == 1;
    std::string type = real ? "float" : given[0] == 8 ? "char" : given[0] == 16 ? "short" : "int";
    if (is_unsigned) type = "u" + type;
    if (real && given[0] != 32) return {};
    int channels = 0;
    for (std::size_t i = 0; i < 4; ++i) channels += given[i] != 0 ? 1 : 0;
    return channels > 1 ? type + std::to_string(channels) : type;
}

}  // namespace

Value field_of(const Value& object, const char* name) {
    if (!object.fields) return {};
    const auto found = object.fields->find(name);
    return found == object.fields->end() ? Value() : loaded(*found->second);
}

std::optional<Value> Walk::call_of_images(const Call& call) {
    const std::vector<Value>& given = call.arguments;
    const auto at = [&](std::size_t i) { return i < given.size() ? loaded(given[i]) : Value(); };
    const auto pointed = [&](std::size_t i) { return at(i).target ? *at(i).target : Value(); };
    const auto give = [&](Value value) {
        if (at(0).target) assign(look_at(at(0).target), value, call.origin);
        return Value::of(0);
    };
    if (call.name == "cudaCreateChannelDesc") {
        Value texel;
        texel.type = texel_of(call);
        return object_of({{"texel", texel}}, call.origin);
    }
    if (call.name == "cudaMallocArray")
        return give(object_of({{"desc", pointed(1)}, {"width", at(2)}, {"height", at(3)}}, call.origin));
    if (call.name == "make_cudaExtent")
        return object_of({{"width", at(0)}, {"height", at(1)}, {"depth", at(2)}}, call.origin);
    if (call.name == "cudaMalloc3DArray")
        return give(object_of({{"desc", pointed(1)},
                               {"width", field_of(at(2), "width")},
                               {"height", field_of(at(2), "height")},
                               {"depth", field_of(at(2), "depth")}},
                              call.origin));
    if (call.name == "cudaCreateTextureObject")
        return give(object_of({{"resource", pointed(1)}, {"reading", pointed(2)}}, call.origin));
    return std::nullopt;
}

std::shared_ptr<const HostImage> image_of(const Value& object) {
    const Value resource = field_of(field_of(object, "resource"), "res"),
                reading = field_of(object, "reading");
    if (!resource.fields) return nullptr;
    auto image = std::make_shared<HostImage>();
    Value source = field_of(field_of(resource, "array"), "array");
    if (!source.fields) source = field_of(resource, "pitch2D");
    const bool is_linear = !source.fields;
    if (is_linear) source = field_of(resource, "linear");
    image->texel = field_of(field_of(source, "desc"), "texel").type;
    const auto side = [&](std::size_t axis, const Value& extent) {
        if (extent.kind != Kind::integer || extent.integer < 1) return;
        image->extent[axis] = extent.integer;
        image->roots[axis] = extent.roots;
    };
    const std::int64_t bytes = size_of_type(image->texel).value_or(0);
    if (is_linear) {
        Value width = field_of(source, "sizeInBytes");
        if (bytes == 0 || width.kind != Kind::integer) return nullptr;
        width.integer /= bytes;
        side(0, width);
    } else {
        side(0, field_of(source, "width"));
        side(1, field_of(source, "height"));
        side(2, field_of(source, "depth"));
    }
    if (image->texel.empty() || !image->extent[0]) return nullptr;
    const auto number = [&](const char* name) { return field_of(reading, name).integer; };
    image->linear = number("filterMode") == 1;
    image->reads_normalised = number("readMode") == 1;
    image->normalised = number("normalizedCoords") != 0;
    image->address = field_of(field_of(reading, "addressMode"), "[0]").integer;
    return image;
}

}  // namespace warplens::instrumentation::host_code
