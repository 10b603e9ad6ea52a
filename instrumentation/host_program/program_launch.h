// A kernel launch as a running program reports it: one line of JSON from the headers in assets/host_program.
// The program is the user's, so what comes is held to limits and checked before it is believed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch.h"
#include "core/result.h"

namespace warplens::instrumentation {

/// Memory of the device that is allocated at the time of the launch. `offset`: bytes from the beginning of
/// the arena, the memory that the program shares with us.
struct ProgramAllocation {
    std::uint64_t offset = 0, bytes = 0;
    bool filled = false;  // the program, or a launch, may have written to it
    std::string name;     // of the pointer in the host code, as far as it is a word; may be empty
};

struct ProgramArgument {
    std::vector<std::byte> bytes;  // as the host passes it
    bool is_pointer = false;
};

/// A variable of the device that the program has used, and what it holds now: also in the arena.
struct ProgramVariable {
    std::string name, initializer;  // "{1, 2.5f}"; empty: of a type that has none
    std::uint64_t offset = 0, bytes = 0;
};

/// A texture or surface object over memory of the device.
struct ProgramImage {
    std::uint64_t handle = 0;  // as the host passes it
    bool is_surface = false, cube = false, normalised = false, reads_normalised = false;
    std::uint64_t offset = 0, pitch = 0;  // bytes: in the arena; from one row to the next
    std::uint64_t width = 0, height = 0, depth = 0, layers = 0;  // texels; 0: it has no such dimension
    std::uint64_t channels = 1;
    std::string format, address, filter;  // words of core/image.h

    std::uint64_t row_bytes() const;
    std::uint64_t rows() const {
        return std::max<std::uint64_t>(height, 1) * std::max<std::uint64_t>({depth, layers, 1});
    }
    /// From the first texel to the end of the last.
    std::uint64_t bytes() const { return (rows() - 1) * pitch + row_bytes(); }
};

struct ProgramLaunch {
    std::string symbol;    // mangled; empty where the compiler gives the kernel none that others see
    std::string function;  // "void scale(float*, int) [with int N = 3]"
    std::string file;
    std::uint32_t line = 0;
    LaunchGeometry geometry;
    std::vector<ProgramArgument> arguments;
    std::uint64_t arena = 0;  // address of the arena in the program
    std::vector<ProgramAllocation> allocations;
    std::vector<ProgramVariable> variables;
    std::vector<ProgramImage> images;

    /// "sums::scale": without result, template arguments, parameters and namespaces that have no name.
    std::string plain_name() const;
};

/// "sums::scale" of "sums::(anonymous namespace)::scale", as compilers write it.
std::string without_hidden_namespaces(std::string name);

/// `arena_bytes`: its size. The error says what of the line is wrong.
Result<ProgramLaunch> read_program_launch(std::string_view line, std::uint64_t arena_bytes);

/// A line by which a program asks for what kernels have left in a variable; nothing: it is another line.
std::optional<ProgramVariable> read_program_variable(std::string_view line, std::uint64_t arena_bytes);

/// A line by which a program says that it calls a library, whose algorithms the host computes: "cuBLAS".
/// Nothing: it is another line.
std::optional<std::string> read_program_library(std::string_view line);

/// Where an address of the program lies in its device memory.
struct ProgramPlace {
    std::size_t allocation = 0;  // index
    std::uint64_t offset = 0;    // bytes from its beginning
};
/// Nothing for an address outside of all allocations; one past the end of an allocation is outside.
std::optional<ProgramPlace> place_of(std::uint64_t address, const ProgramLaunch& launch);

}  // namespace warplens::instrumentation
