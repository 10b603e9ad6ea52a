// Contents of memory that the host allocates: what each element holds, as a Formula of its index, as far as
// the fills that were followed say. Memory that nothing fills, and memory that is filled by what cannot be
// followed, are kept apart: the first is zero here, the second is a guess.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

/// Where something is said: a line of one of the files; line 0: nowhere.
struct Origin {
    std::uint32_t file = 0, line = 0;
};

struct Storage;

/// That a kernel may have written to memory, of the launches that the walk has come to.
struct KernelWrite {
    std::size_t launch = 0;           // which of them, as HostLaunch::number
    const Storage* memory = nullptr;  // of its arguments
    std::int64_t offset = 0;          // into that memory, bytes
    std::string unknown;  // why it does not follow what the memory holds since then; empty: it does
};

struct Contents {
    enum class Kind : std::uint8_t { unfilled, known, guessed };
    Kind kind = Kind::unfilled;
    FormulaPointer
        formula;       // of known contents; of guessed ones what was there before a kernel wrote to them
    std::string unit;  // type of the elements that the formula counts; empty: zero, of any type
    std::string by;    // what fills guessed contents: "`fread`", "a loop", "kernel `init`"
    Origin origin;     // of the last fill
    std::shared_ptr<const KernelWrite> written =
        nullptr;  // of guessed contents: by the last kernel; null: not only
};

/// The literals that a number was computed from, by their place in the source: two numbers are related when
/// one's literals are among the other's, and not when they are equal by chance. A number is not related to
/// one that it is only divided by: it does not grow with it.
struct Root {
    const char* place = nullptr;
    bool divides = false;
    std::int64_t divided_by = 1;  // by what it was divided on the way, in all

    friend auto operator<=>(const Root&, const Root&) = default;
};
using Roots = std::vector<Root>;  // sorted; each place once
/// The same of a divisor.
Roots dividing(Roots roots);
/// The same of what is divided.
Roots divided(Roots roots, std::int64_t divisor);
Roots merged(const Roots& a, const Roots& b);
bool includes(const Roots& all, const Roots& some);
/// By what a number with roots `some` was divided to get one with `all`; 1: by nothing, or it is not known.
std::int64_t divisor_of(const Roots& all, const Roots& some);

/// Memory that the host allocates, for itself or on the device.
struct Storage {
    std::string name;     // of the variable that first pointed to it
    std::string element;  // type as written: "float"
    std::optional<std::int64_t> bytes;
    Roots roots;                        // of `bytes`
    std::vector<std::int64_t> strides;  // of an array of several dimensions: elements of each subscript
    Contents contents;
    Origin origin;
    std::vector<std::string>
        parts;  // of a device's variable of structures: the types of one's numbers, in order
};

/// Under which condition a fill happens: a formula of the loops around it.
struct Guard {
    FormulaPointer condition;  // null: none
    bool known = true;
};

struct Fill {
    std::string unit;             // type of the element
    FormulaPointer index, value;  // null: not followed
    Guard guard;
    Origin origin;
};

/// One element, in every iteration of the loops around it.
void fill(Storage& storage, const Fill& fill);
void fill_all(Storage& storage, const std::string& unit, const FormulaPointer& value, Origin origin);
void guess(Storage& storage, const std::string& by, Origin origin);

/// What it held is a better guess than its type: most kernels change a part, and a sort the order.
void guess_as_before(Storage& storage, const std::string& by, Origin origin);

/// As cudaMemcpy does; offsets in bytes. `bytes` not known: all.
struct Copy {
    std::int64_t to = 0, from = 0;
    std::optional<std::int64_t> bytes;
    Origin origin;
};
void copy_contents(Storage& to, const Storage& from, const Copy& copy);
/// Rows of `width` bytes that begin every `to_pitch` and `from_pitch` bytes.
void copy_rows(Storage& to, const Storage& from, std::int64_t width, std::int64_t to_pitch,
               std::int64_t from_pitch, Origin origin);

/// What an element holds; null: not known.
FormulaPointer element_of(const Storage& storage, const std::string& unit, const FormulaPointer& index);

}  // namespace warplens::instrumentation::host_code
