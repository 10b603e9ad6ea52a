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

/// An array's texels, row after row; unknown where its size is not known.
Value texels_of(const Value& desc, std::initializer_list<Value> extents, Origin origin) {
    const std::string texel = field_of(desc, "texel").type;
    std::int64_t bytes = size_of_type(texel).value_or(0);
    for (const Value& extent : extents) {
        constexpr std::int64_t most = std::int64_t{1} << 40;
        if (extent.kind != Kind::integer || extent.integer < 0 || extent.integer > most ||
            bytes > most / 1024)
            return {};
        if (extent.integer > 0 && __builtin_mul_overflow(bytes, extent.integer, &bytes)) return {};
    }
    return bytes > 0 ? memory_of(texel, bytes, origin) : Value();
}

/// Copies into an array: rows of `pitch` bytes at `from`, of which each has one row of texels.
void Walk::copy_to_image(const Value& image, const Value& from, const Value& pitch, const Value& rows,
                         Origin origin) {
    const Value texels = field_of(image, "texels"), width = field_of(image, "width");
    if (!texels.storage) return;
    const std::int64_t size = size_of_type(texels.storage->element).value_or(0);
    const bool plain = from.storage && from.index && from.index->kind == Formula::Kind::number &&
                       from.index->number == 0 && guard_.known && !guard_.condition &&
                       pitch.kind == Kind::integer && !pitch.varies && width.kind == Kind::integer &&
                       rows.kind == Kind::integer && !rows.varies;
    const std::int64_t row = plain ? width.integer * size : 0;
    std::int64_t bytes = 0;
    if (!plain || __builtin_mul_overflow(row, rows.integer, &bytes) ||
        bytes < texels.storage->bytes.value_or(0))
        return guess(*texels.storage, "a copy that is not followed", origin);
    copy_rows(*texels.storage, *from.storage, row, row, pitch.integer, origin);
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
        return give(object_of(
            {{"desc", pointed(1)},
             {"width", at(2)},
             {"height", at(3)},
             {"texels",
              texels_of(pointed(1), {at(2), given.size() > 3 ? at(3) : Value::of(0)}, call.origin)}},
            call.origin));
    if (call.name == "make_cudaExtent")
        return object_of({{"width", at(0)}, {"height", at(1)}, {"depth", at(2)}}, call.origin);
    if (call.name == "cudaMalloc3DArray")
        return give(object_of({{"desc", pointed(1)},
                               {"width", field_of(at(2), "width")},
                               {"height", field_of(at(2), "height")},
                               {"depth", field_of(at(2), "depth")},
                               {"texels", texels_of(pointed(1),
                                                    {field_of(at(2), "width"), field_of(at(2), "height"),
                                                     field_of(at(2), "depth")},
                                                    call.origin)}},
                              call.origin));
    const auto begins = [&](std::size_t i) { return at(i).kind == Kind::integer && at(i).integer == 0; };
    if (call.name == "make_cudaPitchedPtr") return object_of({{"ptr", at(0)}, {"pitch", at(1)}}, call.origin);
    if (call.name == "cudaMemcpy2DToArray" || call.name == "cudaMemcpy2DToArrayAsync") {
        const bool whole = begins(1) && begins(2);
        return copy_to_image(at(0), at(3), whole ? at(4) : Value(), at(6), call.origin), Value::of(0);
    }
    if (call.name == "cudaMemcpyToArray" || call.name == "cudaMemcpyToArrayAsync") {
        const Value texels = field_of(at(0), "texels");
        const bool whole = begins(1) && begins(2);
        if (texels.storage) copy(texels, whole ? at(3) : Value(), at(4), call.origin);
        return Value::of(0);
    }
    if (call.name == "cudaMemcpy3D" || call.name == "cudaMemcpy3DAsync") {
        const Value image = field_of(pointed(0), "dstArray"), from = field_of(pointed(0), "srcPtr");
        const Value height = field_of(image, "height"), depth = field_of(image, "depth");
        const bool sized = height.kind == Kind::integer && depth.kind == Kind::integer &&
                           height.integer > 0 && depth.integer > 0 && height.integer < (1 << 20) &&
                           depth.integer < (1 << 20);
        const Value rows = sized ? Value::of(height.integer * depth.integer) : Value();
        return copy_to_image(image, field_of(from, "ptr"), field_of(from, "pitch"), rows, call.origin),
               Value::of(0);
    }
    if (call.name == "cudaCreateTextureObject")
        return give(object_of({{"resource", pointed(1)}, {"reading", pointed(2)}}, call.origin));
    return std::nullopt;
}

namespace {

/// Of linear memory, and of rows of a pitch.
Value pitched_texels(const Value& source) {
    Value memory = field_of(source, "devPtr");
    const bool begins = memory.storage && memory.index && memory.index->kind == Formula::Kind::number &&
                        memory.index->number == 0;
    if (!begins) return {};
    const Value pitch = field_of(source, "pitchInBytes"), width = field_of(source, "width");
    const std::int64_t size = size_of_type(field_of(field_of(source, "desc"), "texel").type).value_or(0);
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (pitch.kind != Kind::integer || width.kind != Kind::integer || width.integer < 1 ||
        width.integer > most)
        return memory;
    memory.storage = std::make_shared<Storage>(*memory.storage);
    const Storage rows = *memory.storage;
    memory.storage->contents = {};
    copy_rows(*memory.storage, rows, width.integer * size, width.integer * size, pitch.integer,
              memory.origin);
    return memory;
}

}  // namespace

std::shared_ptr<const HostImage> image_of(const Value& object) {
    const Value resource = field_of(field_of(object, "resource"), "res"),
                reading = field_of(object, "reading");
    if (!resource.fields) return nullptr;
    auto image = std::make_shared<HostImage>();
    Value source = field_of(field_of(resource, "array"), "array");
    Value texels = field_of(source, "texels");
    if (!source.fields) source = field_of(resource, "pitch2D");
    const bool is_linear = !source.fields;
    if (is_linear) source = field_of(resource, "linear");
    if (!texels.storage) texels = pitched_texels(source);
    image->texel = field_of(field_of(source, "desc"), "texel").type;
    image->texels = texels.storage;
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
