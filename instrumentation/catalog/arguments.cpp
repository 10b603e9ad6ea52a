#include "instrumentation/catalog/arguments.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

/// Whether the declared type, not the kernel's, says what the bits of a number are: PTX has no type of its
/// own for the two of 16 bits, and passes them as bytes or as an integer.
bool fixes_bits(const ScalarType& declared, const Parameter& parameter) {
    if (declared.bytes != parameter.bytes) return false;
    return parameter.type[0] == 'b' || (declared.kind == ScalarType::Kind::real && declared.bytes == 2);
}

/// Little-endian bits of the argument, in the low `parameter.bytes` bytes.
Result<std::uint64_t> bits_of(const Value& value, const std::string& declared_type,
                              const Parameter& parameter) {
    const ScalarType* const declared = find_scalar_type(declared_type);
    if (declared && fixes_bits(*declared, parameter)) return bits_of_scalar(*declared, value);
    const bool untyped = parameter.type[0] == 'b';
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    if (!integer && !real) return fail("`{}` is not a number", to_string(value));
    const bool is_real = parameter.type[0] == 'f' ||
                         (untyped && (declared_type.empty() ? real != nullptr : declared_type[0] == 'f'));
    if (is_real) {
        const double number = real ? *real : static_cast<double>(*integer);
        std::uint64_t bits = 0;
        if (parameter.bytes == 8) {
            std::memcpy(&bits, &number, 8);
        } else if (parameter.bytes == 4) {
            const auto single = static_cast<float>(number);
            std::memcpy(&bits, &single, 4);
        } else {
            return fail(
                "of a real number of {} bytes the kernel does not say the format; write f16=… or bf16=…",
                parameter.bytes);
        }
        return bits;
    }
    if (real && (std::floor(*real) != *real || std::abs(*real) > 0x1p62)) {
        return fail("{} is not an integer", to_string(value));
    }
    const std::int64_t number = integer ? *integer : static_cast<std::int64_t>(*real);
    if (parameter.bytes < 8) {
        const std::int64_t span = std::int64_t{1} << (8 * parameter.bytes);
        if (number < -span / 2 || number >= span) {
            return fail("{} does not fit in {} bytes", number, parameter.bytes);
        }
    }
    return static_cast<std::uint64_t>(number);
}

std::optional<std::uint32_t> size_of_type(const std::string& type) {
    if (type.size() < 2 || std::string("usbf").find(type[0]) == std::string::npos) return std::nullopt;
    const std::string bits = type.substr(1);
    if (bits == "8") return 1;
    if (bits == "16") return 2;
    if (bits == "32") return 4;
    if (bits == "64") return 8;
    return std::nullopt;
}

std::string byte_count(std::uint32_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

}  // namespace

Result<std::vector<std::byte>> lay_out_arguments(const PreparedLaunch& launch,
                                                 const std::vector<Parameter>& parameters,
                                                 const std::vector<std::uint64_t>& buffer_addresses,
                                                 const std::vector<std::uint64_t>& image_handles) {
    if (launch.arguments.size() != parameters.size()) {
        std::string types;
        for (const Parameter& parameter : parameters) types += (types.empty() ? ": " : ", ") + parameter.type;
        return fail("the launch gives {} argument{}, but the kernel takes {}{} (a pointer is a u64)",
                    launch.arguments.size(), launch.arguments.size() == 1 ? "" : "s", parameters.size(),
                    types);
    }
    if (buffer_addresses.size() != launch.buffers.size()) {
        return fail("{} buffers were allocated, but the launch has {}", buffer_addresses.size(),
                    launch.buffers.size());
    }
    if (image_handles.size() != launch.images.size()) {
        return fail("{} textures and surfaces were made, but the launch has {}", image_handles.size(),
                    launch.images.size());
    }
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& parameter = parameters[i];
        const PreparedArgument& argument = launch.arguments[i];
        bytes.resize(std::max<std::size_t>(bytes.size(), parameter.offset + parameter.bytes));
        if (argument.structure) {
            if (argument.structure->bytes != parameter.bytes)
                return fail(
                    "argument {} is a structure of {} bytes, but the kernel's parameter there has {} (its "
                    "type "
                    "is {}); members lie at their natural alignment, as in C",
                    i + 1, argument.structure->bytes, parameter.bytes, parameter.type);
            for (const PreparedMember& member : argument.structure->members) {
                const std::uint64_t bits = member.buffer  ? buffer_addresses[*member.buffer]
                                           : member.image ? image_handles[*member.image]
                                                          : member.bits;
                std::memcpy(bytes.data() + parameter.offset + member.offset, &bits, member.bytes);
            }
            continue;
        }
        const auto size = size_of_type(parameter.type);
        const ScalarType* const declared = find_scalar_type(argument.type);
        if ((!size || *size != parameter.bytes) && !(declared && fixes_bits(*declared, parameter))) {
            return fail(
                "parameter {} of the kernel is a structure of {} bytes; pass it as struct:{{f32=1,i32=2}}, "
                "member by member, or as bytes:…, {} hexadecimal digits",
                i + 1, parameter.bytes, 2 * parameter.bytes);
        }
        if (declared && declared->bytes != parameter.bytes)
            return fail(
                "argument {} is of type {}, which has {}, but the kernel's parameter there has {} (its type "
                "is "
                "{})",
                i + 1, declared->name, byte_count(declared->bytes), byte_count(parameter.bytes),
                parameter.type);
        std::uint64_t bits = 0;
        if (argument.buffer) {
            const std::string& name = launch.buffers[*argument.buffer].name;
            if (parameter.bytes != 8 || parameter.type[0] == 'f') {
                return fail(
                    "argument {} is the buffer `{}`, but the kernel's parameter there is not a pointer "
                    "(its type is {})",
                    i + 1, name, parameter.type);
            }
            bits = buffer_addresses[*argument.buffer] + argument.offset;
        } else if (argument.image) {
            const ImageDescription& image = launch.images[*argument.image].description;
            if (parameter.bytes != 8 || parameter.type[0] == 'f') {
                return fail(
                    "argument {} is the {} `{}`, but the kernel's parameter there takes no handle of 64 bits "
                    "(its type is {})",
                    i + 1, image.is_surface ? "surface" : "texture", image.name, parameter.type);
            }
            bits = image_handles[*argument.image];
        } else {
            const auto scalar = bits_of(argument.scalar, argument.type, parameter);
            if (!scalar) {
                return fail("argument {} ({}) and the kernel's parameter there ({}) differ: {}", i + 1,
                            to_string(argument.scalar), parameter.type, scalar.error().message);
            }
            bits = *scalar;
        }
        std::memcpy(bytes.data() + parameter.offset, &bits, parameter.bytes);
    }
    return bytes;
}

}  // namespace warplens::instrumentation
