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

#include "instrumentation/host_code/tokens.h"

namespace warplens::instrumentation::host_code {

struct Value;
using Slot = std::shared_ptr<Value>;  // a variable
using Fields = std::map<std::string, Slot>;

/// Where something is said: a line of one of the files; line 0: nowhere.
struct Origin {
    std::uint32_t file = 0, line = 0;
};

enum class Filling : std::uint8_t { unknown, zero, constant, ramp, random };

/// Memory that the host allocates, for itself or on the device.
struct Storage {
    std::string name;     // of the variable that first pointed to it
    std::string element;  // type as written: "float"
    std::optional<std::int64_t> bytes;
    Filling filling = Filling::unknown;
    std::string constant;               // the number of Filling::constant
    std::optional<std::int64_t> below;  // the exclusive upper bound of random integers
    Origin origin;
};

/// A lambda: tokens of its parameters and its body.
struct Function {
    Tokens tokens;
    std::size_t parameters = 0, body = 0;  // indices of `(` and `{`; parameters 0: none
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
    std::shared_ptr<Storage> storage;                            // of memory
    std::int64_t offset = 0;                                     // into the memory, elements
    Slot target;                                                 // of an address: the variable
    std::vector<Value> list;                                     // of { … }
    std::shared_ptr<Fields> fields;                              // of an object
    std::shared_ptr<const Function> function;
    std::string type;     // as written, without const: "float*"; empty: not known
    bool varies = false;  // with a loop's variable
    bool random = false;
    std::optional<std::int64_t> below;  // of something random or varying: % below
    std::int64_t from = 0;              // and what is added to it: from … below - 1
    Origin origin;
    Slot slot;  // the variable that it was read from: what an assignment changes

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

/// Bytes of a type by its name, "unsigned int", "float4", "double*"; empty: not known.
std::optional<std::int64_t> size_of_type(const std::string& type);
/// "float" of "const float *"; the type itself where it is no pointer.
std::string pointed_to(std::string type);
bool is_real_word(const std::string& type);

}  // namespace warplens::instrumentation::host_code
