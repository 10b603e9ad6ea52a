// Value: what is known of a host variable or expression without running the program: a number, a dim3, memory
// of a known size and filling, or nothing. Each says on which line it was set.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/host_code/contents.h"
#include "instrumentation/host_code/tokens.h"

namespace warplens::instrumentation::host_code {

struct Value;
using Slot = std::shared_ptr<Value>;  // a variable
using Fields = std::map<std::string, Slot>;

/// A lambda: tokens of its parameters and its body.
struct Function {
    Tokens tokens;
    std::size_t parameters = 0, body = 0;  // indices of `(` and `{`; parameters 0: none
    bool is_device = false;
    std::vector<std::pair<std::string, Slot>> captures;  // of one for the device, as they are where it stands
};

struct Value {
    enum class Kind : std::uint8_t {
        unknown,
        integer,
        real,
        extent,
        memory,
        address,
        list,
        object,
        function
    };
    Kind kind = Kind::unknown;
    std::int64_t integer = 0;
    double real = 0;
    std::array<std::optional<std::int64_t>, 3> extent{1, 1, 1};  // of a dim3
    std::array<Roots, 3> extent_roots;
    /// Of a dim3, in every iteration of the loops around; null: not followed.
    std::array<FormulaPointer, 3> sides;

    std::shared_ptr<Storage> storage;  // of memory
    std::int64_t offset = 0;           // into the memory, elements, where constant
    FormulaPointer index;              // into the memory, elements of `type`'s; null: not followed
    std::int64_t index_bytes = 0;      // that it counts instead; 0: elements
    bool element = false;              // of the memory, and not its address; `type` is its own
    std::size_t subscripts = 0;        // of an array of several dimensions
    Slot target;                       // of an address: the variable
    std::vector<Value> list;           // of { … }
    std::shared_ptr<Fields> fields;    // of an object
    std::shared_ptr<const Function> function;
    std::string kernel;                           // of a pointer to a kernel
    std::vector<std::string> template_arguments;  // the kernel's
    std::vector<Value> others;                    // kernels that the pointer has in other cases or iterations
    std::string_view text;                        // of a literal: "block_max", without the marks
    std::string type;                             // as written, without const: "float*"; empty: not known
    bool varies = false;  // with a loop's variable: the number is that of the first iteration
    bool random = false;
    bool assumed = false;    // an integer that the program does not tell: see assumed_sizes.h
    std::int64_t side = 0;   // of a tensor, assumed where its variable's name says nothing; 0: it is none
    FormulaPointer formula;  // of what varies or is random; null: not followed
    Roots roots;
    Origin origin;
    Slot slot;             // the variable that it was read from: what an assignment changes
    Slot extent_slot;      // of one side of a dim3: the dim3
    std::size_t axis = 0;  // which side

    bool known() const { return kind != Kind::unknown; }
    bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
    double number() const { return kind == Kind::real ? real : static_cast<double>(integer); }
    static Value of(std::int64_t number) {
        Value value;
        value.kind = Kind::integer;
        value.integer = number;
        return value;
    }
    static Value of_real(double number) {
        Value value;
        value.kind = Kind::real;
        value.real = number;
        return value;
    }
};

/// What the value is in every iteration of the loops around it; null: not followed.
FormulaPointer formula_of(const Value& value);
/// Of an element of memory what it holds; any other value itself.
Value loaded(const Value& value);

/// C's arithmetic type by its name; of smaller types that of their promotion.
NumberType number_type_of(const std::string& type);

/// Bytes of a type by its name, "unsigned int", "float4", "double*"; empty: not known.
std::optional<std::int64_t> size_of_type(const std::string& type);
/// "float" of "const float *"; the type itself where it is not a pointer.
std::string pointed_to(std::string type);
bool is_real_word(const std::string& type);

}  // namespace warplens::instrumentation::host_code
