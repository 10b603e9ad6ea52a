// What the host code of a CUDA file says of its kernel launches: grid, block, dynamic shared memory and
// arguments as far as they follow from constants, variables, allocations and copies. A guess, each with the
// line it comes from; a value that does not follow is left out. Where launches lack values, sizes that the
// program reads from somewhere are assumed, and what is computed from them says so. Nothing is executed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "instrumentation/host_code/preprocess.h"
#include "instrumentation/host_code/value.h"

namespace warplens::instrumentation::host_code {

/// A texture object as the program makes it.
struct HostImage {
    std::string texel;  // as written: "uchar4"
    std::array<std::optional<std::int64_t>, 3> extent;
    std::array<Roots, 3> roots;
    bool linear = false, normalised = false, reads_normalised = false;
    std::int64_t address = 0;               // cudaTextureAddressMode
    std::shared_ptr<const Storage> texels;  // row after row; null: not followed
};

struct HostArgument {
    enum class Kind : std::uint8_t { unknown, integer, real, memory, structure, image };
    Kind kind = Kind::unknown;
    std::int64_t integer = 0;
    double real = 0;
    std::optional<std::int64_t> bytes;  // of memory: from the pointer to its end
    std::string element;                // type of its elements as written
    std::string unit;                   // of structures, a number of the size that all their numbers have
    std::int64_t offset = 0;            // of memory: bytes before the pointer
    std::shared_ptr<const Storage> storage;  // of memory: two arguments with the same one share it
    std::shared_ptr<const HostImage> image;  // of an image
    Roots roots;                             // of the integer
    bool assumed = false;                    // its number or size is computed from an assumed one
    bool varies = false;                     // a number that passes of a loop change in a way not followed
    Origin origin;
    std::string name, type;             // of a structure's member: "float*", "int[4]"
    std::int64_t place = 0;             // of a structure's member: bytes from the structure's begin
    std::vector<HostArgument> members;  // of a structure, in order
};

struct HostLaunch {
    std::string kernel;  // as launched, without template arguments: "sums::scale"
    std::vector<std::string> template_arguments;
    std::vector<std::string> parameters;  // types as declared, without const: "float2*"
    std::array<std::optional<std::int64_t>, 3> grid, block;
    std::array<Roots, 3> grid_roots;
    bool grid_assumed = false, block_assumed = false;  // computed from assumed sizes
    Origin grid_origin, block_origin;
    std::optional<std::int64_t> dynamic_shared_bytes;
    bool cooperative = false;
    std::array<std::int64_t, 3> cluster{1, 1, 1};  // of an attribute of the launch
    bool varies = false;                           // grid or block, as HostArgument::varies
    bool is_local = false;                         // static, or in a namespace without a name
    std::vector<HostArgument> arguments;
    Origin origin;  // of the launch
    /// Of a loop around it whose passes differ in threads: this launch is that of the pass with the most
    /// threads, from 1.
    std::int64_t pass = 1, passes = 1;
    std::size_t number = 0;  // among all launches of the program, as KernelWrite::launch

    /// "reduce<256, float>": how NVRTC is asked for the kernel.
    std::string expression() const;
};

struct HostCode {
    std::vector<HostLaunch> launches;  // in the order in which they are come to; of a loop's passes one
    /// By their numbers: those, and the launches that directly or through others have written what they
    /// read.
    std::map<std::size_t, HostLaunch> program;
    std::vector<std::pair<std::string, Storage>>
        copied_symbols;                // variables of the device that the host fills
    std::vector<std::string> lambdas;  // for the device, given to kernels: structures, for the source's end
    std::vector<std::string> files;    // names, as Origin numbers them
};

/// Adds the numbers of the launches that were the last to write what the arguments point to, as far as that
/// follows.
void add_writers(const std::vector<HostArgument>& arguments, std::set<std::size_t>& numbers);

/// What the host copies into a variable of the device, as the initializer of its declaration: "{1, 2.5f}"; of
/// random numbers others in their range. Nothing where the contents are not followed.
std::optional<std::string> initializer_of(const Storage& variable);

/// What a compiled kernel lets an SM hold.
struct KernelOccupancy {
    std::int64_t most_threads = 0;  // of a block, by __launch_bounds__; 0: nothing said
    std::function<std::int64_t(std::int64_t threads, std::int64_t dynamic_shared_bytes)> blocks_per_sm;
};
/// Of the kernel that HostLaunch::kernel and template_arguments name; nothing where it is not compiled yet.
using OccupancyQuery = std::function<std::optional<KernelOccupancy>(const HostLaunch& kernel)>;

/// `files`: the source, then the user's headers that it includes. Without an answer of `occupancy`, what
/// cudaOccupancy… gives is assumed.
HostCode read_host_code(const std::vector<File>& files, const std::vector<std::string>& defines,
                        const OccupancyQuery& occupancy = {});

}  // namespace warplens::instrumentation::host_code
