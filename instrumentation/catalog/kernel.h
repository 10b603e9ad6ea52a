// KernelFile: what a .cu file declares about itself in the TOML block of its first comment — title,
// parameters, buffers, launch, golden check, views. Expressions are Lua, evaluated by
// instrumentation/catalog/expressions.h. docs/kernel_header.md is the reference with an example. Where the
// kernels lie is instrumentation/catalog/catalogue.h, the argument bytes instrumentation/catalog/arguments.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/image.h"
#include "core/launch.h"
#include "core/result.h"
#include "core/variable_contents.h"
#include "instrumentation/catalog/earlier_launch.h"
#include "instrumentation/catalog/streams.h"

namespace warplens::instrumentation {

/// A parameter's value: an integer, a real number, or a word ("float4", "lcg12345").
using Value = std::variant<std::int64_t, double, std::string>;
std::string to_string(const Value& value);

using Values = std::map<std::string, Value>;  // by parameter name

struct ParameterDeclaration {
    std::string name;
    bool is_macro = false;      // compile-time: becomes a #define of the same name; else run-time
    Value fallback;             // the header's `default`
    std::vector<Value> values;  // allowed values, when listed
    std::optional<double> minimum, maximum;  // inclusive, when a range is given instead
    double step = 1;   // from the minimum upwards; 0 when every real number in the range is allowed
    std::string type;  // of the kernel argument, of scalar_type.h; empty: as the compiled kernel says
    std::string help;  // a few words for the knob's tooltip
};

struct BufferDeclaration {
    std::string name;
    std::string element_type;     // u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64
    std::string length;           // expression, elements
    std::string fill;             // zero | iota | constant | formula | ring | random | lcg | file | none
    std::string fill_argument;    // expression: constant's and formula's value; random's and lcg's exclusive
                                  // upper bound; file's path
    std::string seed;             // expression; random, lcg and formula
    bool guessed_length = false;  // nothing says how long the program's is
    std::uint64_t address = 0;    // where it lies, if that place is free; 0: anywhere. See KernelFile::linked
    /// By a launch of the program before this one; where that cannot be run, `fill` is the guess.
    std::optional<WrittenContents> written = {};
    /// Of the fill by a file: bytes before it there; none: the file is it alone.
    std::optional<std::uint64_t> file_part = {};
};

/// A texture or surface: elements of a buffer as texels, x first. Of a cube `height` is empty, as wide.
struct ImageDeclaration {
    std::string name;
    bool is_surface = false;
    std::string buffer;    // whose elements the texels are; `name` when it came with its own
    std::string format;    // of a channel: u8 i8 u16 i16 u32 i32 f16 f32; empty: as the buffer's elements
    std::string channels;  // expression: 1, 2 or 4
    std::string width, height, depth;  // expressions, texels; empty: it has no such dimension
    std::string layers;                // expression; empty: none, or of a cube one
    bool cube = false;                 // a layer has six faces
    std::string filter, address;  // point, linear; wrap, clamp, mirror, border; or a word parameter's name
    bool normalised = false, reads_normalised = false;  // as ImageDescription's

    bool owns_buffer() const { return buffer == name; }
};

/// One expected buffer: a Lua chunk that returns a function of the element index (0-based). It sees the
/// parameters as numbers and the buffers as tables of their contents before the launch.
struct GoldenDeclaration {
    std::string buffer;
    std::string lua;
    double tolerance = 0;  // |got - expected| <= tolerance * max(1, |expected|)
};

/// The sweep that the Sweep view opens with.
struct SweepDeclaration {
    struct Axis {
        std::string parameter;
        std::vector<std::string> values;  // empty: those of its declaration
    };
    std::vector<Axis> over;            // one or two
    std::vector<std::string> metrics;  // names of analysis::metrics(); empty: as without a declaration
};

/// What a kernel file is written in. A .cubin is bytes: machine code.
enum class Language : std::uint8_t { cuda, ptx, cubin };

struct KernelFile {
    std::string name;  // file name without .cu, .ptx or .cubin
    Language language = Language::cuda;
    std::string path;        // as given; never written into a file
    std::string source;      // whole text; of a .cubin its bytes
    bool has_header = true;  // false: nothing below is declared, the launch must be entered in the form
    std::string entry;       // function in the source; default: name; empty without a header
    std::string title;
    std::string subject;             // heading it is listed under
    std::string lesson;              // one sentence: what it shows
    std::string note;                // one sentence: what of it is not run, and why
    std::vector<std::string> views;  // to open, first first
    std::string wrong;  // expression, 1: wrong on purpose, as its lines say; see expected_problems.h
    std::vector<ParameterDeclaration> parameters;  // in header order
    std::vector<BufferDeclaration> buffers;        // in header order, after them the images' own
    std::vector<ImageDeclaration> images;          // textures, then surfaces, in header order
    std::vector<std::string> arguments;  // kernel arguments in order: names of buffers, images or parameters,
                                         // expressions, numbers as scalar_type.h
                                         // writes them, or structures as aggregate.h does
    std::vector<std::string> grid, block;  // one to three expressions each
    std::vector<std::string> cluster;      // blocks of a cluster; empty: as compiled, or none
    bool cooperative = false;              // all blocks run at the same time
    std::string dynamic_shared_bytes;      // expression; "0"
    std::vector<GoldenDeclaration> golden;
    std::optional<SweepDeclaration> sweep;
    std::optional<StreamsDeclaration> streams;  // what a host does with it, when declared

    // Said beside the file, when it was opened; never declared by it.
    std::vector<std::string> include_paths;  // folders to look for included files in
    std::vector<std::string> defines;        // "NAME" or "NAME=VALUE"
    /// Of variables of the device, as a run of the program left them; else what the host code copies to them.
    std::vector<std::pair<std::string, std::string>> initializers;
    /// The same as bytes, of variables of all types; only the CPU engine has them.
    std::vector<VariableContents> variables;

    // Guessed, not declared: a bad address may be the guess's fault and not the kernel's.
    std::string doubt;            // a clause: which numbers an index may follow from are guesses; empty: none
    bool guessed_shared = false;  // dynamic_shared_bytes

    /// Memory of the launch holds addresses of other memory, as a run of the program left it: each buffer has
    /// to lie at its own.
    bool linked = false;
};

/// Reads the header of `source`. Errors name the file, the line and what would be right. A source with no
/// header is not an error: see KernelFile::has_header.
Result<KernelFile> read_kernel_file(std::string path, std::string source);

/// Whether the header allows the value. The error names the parameter and what it allows.
Status check_parameter_value(const ParameterDeclaration& parameter, const Value& value);

/// The values of all parameters: the defaults with `overrides` applied. Errors name the parameter, the value
/// given and the values allowed.
Result<Values> resolve_parameters(const KernelFile& kernel,
                                  const std::map<std::string, std::string>& overrides);

/// The compile-time parameters as CompileRequest::macros wants them: sorted by name, values as written into
/// the source.
std::vector<std::pair<std::string, std::string>> compile_macros(const KernelFile& kernel,
                                                                const Values& parameters);

struct PreparedBuffer {
    std::string name;
    std::string element_type;
    std::uint32_t element_bytes = 0;
    std::vector<std::byte> data;  // initial contents
    bool unwritten = false;       // they count as nothing: to read them before a store is a problem
    bool guessed_length = false;  // as BufferDeclaration's
    std::uint64_t address = 0;    // likewise
};

/// A member of a structure that is passed by value.
struct PreparedMember {
    std::uint32_t offset = 0, bytes = 0;  // in the structure
    std::optional<std::size_t> buffer;    // whose address it is; index into PreparedLaunch::buffers
    std::uint64_t bits = 0;               // otherwise, in the low `bytes` bytes
    std::optional<std::size_t> image = std::nullopt;  // whose handle it is; index into PreparedLaunch::images
};

/// A structure passed by value: its bytes, but for the addresses in it.
struct PreparedStructure {
    std::uint32_t bytes = 0;
    std::vector<PreparedMember> members;
};

/// A kernel argument before addresses are known: bytes of a scalar, or the buffer whose address it is, or the
/// image whose handle.
struct PreparedArgument {
    std::optional<std::size_t> buffer;  // index into PreparedLaunch::buffers
    std::uint64_t offset = 0;           // bytes from the buffer's beginning
    Value scalar;                       // otherwise: an integer or a real number
    std::string type;                   // the scalar's declared type; empty: as the compiled kernel says
    std::optional<PreparedStructure> structure = std::nullopt;  // instead of both
    std::optional<std::size_t> image = std::nullopt;            // index into PreparedLaunch::images
};

/// A texture or surface object to be made; whoever executes the launch gives it its handle.
struct PreparedImage {
    ImageDescription description;
    std::size_t buffer = 0;  // that holds its texels: index into PreparedLaunch::buffers, large enough
};

struct PreparedLaunch {
    Values parameters;
    LaunchGeometry geometry;
    std::vector<PreparedBuffer> buffers;
    std::vector<PreparedArgument> arguments;
    std::vector<PreparedImage> images = {};  // in the order of KernelFile::images
};

/// Evaluates geometry and fills the buffers. Errors name the expression, and a launch that needs more than
/// `memory_limit` bytes says how much it needs.
Result<PreparedLaunch> prepare_launch(const KernelFile& kernel, const Values& parameters,
                                      std::uint64_t memory_limit);

/// How the launch's results compare with the header's golden check.
struct GoldenResult {
    bool declared = false;
    bool passed = false;
    std::uint64_t elements_checked = 0;
    std::uint64_t elements_total = 0;
    std::string failure;  // "out[35]: 12, expected 13 (7 of 4096 elements differ)"
};

/// `results` holds the buffers' contents after the launch, in the order of PreparedLaunch::buffers. Checks
/// all elements unless that takes too long, then as many as time allows, evenly spread: `elements_checked`
/// says so.
Result<GoldenResult> check_golden(const KernelFile& kernel, const PreparedLaunch& launch,
                                  const std::vector<const std::byte*>& results);

}  // namespace warplens::instrumentation
