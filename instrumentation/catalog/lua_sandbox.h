// LuaSandbox: a Lua 5.4 state for text that nobody has vetted. No file, process, module or bytecode access;
// memory, work and time are limited, so that any chunk ends.
// Expressions of a kernel header are instrumentation/catalog/expressions.h, golden checks are golden.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

struct lua_State;

namespace warplens::instrumentation {

struct LuaLimits {
    std::size_t memory_bytes = 512 * 1024;             // held at one time
    std::uint64_t allocated_bytes = 64 * 1024 * 1024;  // ever asked for: bounds the work of string joining
    std::uint64_t instructions = 100'000;              // of Lua's virtual machine
    double seconds = 2;                                // a last resort for instructions that are slow
};

class LuaSandbox {
  public:
    /// Has the operators, `math` without its random numbers, and ceil_div, min, max, log2, pow2, f32,
    /// tostring, tonumber, type, ipairs, pairs, next, select, error, assert. Reading any other name that was
    /// not set is an error that suggests the nearest one.
    explicit LuaSandbox(LuaLimits limits);
    ~LuaSandbox();
    LuaSandbox(LuaSandbox&&) noexcept;
    LuaSandbox& operator=(LuaSandbox&&) noexcept;

    /// Calls work(state) in protected mode: an error raised in it comes back as an Error. The work must not
    /// hold anything with a destructor while it calls Lua, which leaves it by a jump.
    Status run(const std::function<void(lua_State*)>& work);

    Status set_global(const std::string& name, const Value& value);
    std::uint64_t instructions_used() const;
    bool ran_out_of_memory() const;
    bool exhausted() const;  // a limit of work or time was passed: every later run fails too
    /// Names that a chunk can read, for messages.
    const std::vector<std::string>& names() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// For use inside LuaSandbox::run: loads text, never bytecode, and leaves it as a function on the stack.
/// `name` stands before the line number in messages.
void load_text(lua_State* lua, const char* name, const std::string& text);

/// A header's name as Lua sees it: names that are Lua keywords get an underscore after ("in" -> "in_").
std::string lua_name(const std::string& name);

/// The names of the functions a sandbox has, which parameters and buffers must not take.
const std::vector<std::string>& lua_function_names();

}  // namespace warplens::instrumentation
