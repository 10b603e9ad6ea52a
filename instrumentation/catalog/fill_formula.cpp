#include "instrumentation/catalog/fill_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <list>
#include <lua.hpp>
#include <mutex>

#include "core/half.h"
#include "instrumentation/catalog/lua_sandbox.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/catalog/split_mix.h"

namespace warplens::instrumentation {

namespace {

/// Twenty instructions per element are a long formula; the time is a last resort.
LuaLimits limits_of(std::size_t elements) {
    LuaLimits limits;
    limits.allocated_bytes = 1u << 30;
    limits.memory_bytes += 64 * elements;  // sum keeps a number for each
    limits.instructions = 1'000'000 + 200 * static_cast<std::uint64_t>(elements);
    limits.seconds = 60;
    return limits;
}

/// random() from 0 to 1, random(n) from 0 to n - 1. Upvalue: the generator.
int lua_random(lua_State* lua) {
    auto& generator = *static_cast<SplitMix64*>(lua_touserdata(lua, lua_upvalueindex(1)));
    const std::uint64_t bits = generator.next();
    if (lua_gettop(lua) == 0) {
        lua_pushnumber(lua, static_cast<double>(bits >> 40) * 0x1p-24);
        return 1;
    }
    const lua_Integer below = luaL_checkinteger(lua, 1);
    if (below <= 0) return luaL_error(lua, "random needs a bound above 0, got %I", below);
    lua_pushinteger(lua, static_cast<lua_Integer>(scaled_below(bits, static_cast<std::uint64_t>(below))));
    return 1;
}

/// The bits of the nearest bfloat16.
int lua_bf16_bits(lua_State* lua) {
    lua_pushinteger(lua, bfloat_from_float(static_cast<float>(luaL_checknumber(lua, 1))));
    return 1;
}

/// sum(n, [[expression]]): of the expression for i from 0 to n - 1. Upvalue: by its text, the function and
/// the sums so far, from index 0 on.
int lua_sum(lua_State* lua) {
    const lua_Integer count = luaL_checkinteger(lua, 1);
    luaL_checkstring(lua, 2);
    lua_settop(lua, 2);
    lua_pushvalue(lua, 2);
    if (lua_rawget(lua, lua_upvalueindex(1)) == LUA_TNIL) {
        lua_settop(lua, 2);
        lua_createtable(lua, 1, 0);
        lua_pushliteral(lua, "return function(i) return ");
        lua_pushvalue(lua, 2);
        lua_pushliteral(lua, "\nend");
        lua_concat(lua, 3);
        std::size_t bytes = 0;
        const char* const chunk = lua_tolstring(lua, -1, &bytes);
        if (luaL_loadbufferx(lua, chunk, bytes, "=sum", "t") != LUA_OK) lua_error(lua);
        lua_call(lua, 0, 1);
        lua_setfield(lua, 3, "term");
        lua_settop(lua, 3);
        lua_pushinteger(lua, 0);
        lua_rawseti(lua, 3, 1);
        lua_pushvalue(lua, 2);
        lua_pushvalue(lua, 3);
        lua_rawset(lua, lua_upvalueindex(1));
    }
    auto known = static_cast<lua_Integer>(lua_rawlen(lua, 3));  // of the first known - 1 terms
    for (; known <= count; ++known) {
        lua_rawgeti(lua, 3, known);
        lua_getfield(lua, 3, "term");
        lua_pushinteger(lua, known - 1);
        lua_call(lua, 1, 1);
        if (lua_type(lua, -1) != LUA_TNUMBER)
            luaL_error(lua, "the term of sum is not a number for i = %I", known - 1);
        lua_arith(lua, LUA_OPADD);
        lua_rawseti(lua, 3, known + 1);
    }
    lua_rawgeti(lua, 3, count < 0 ? 1 : count + 1);
    return 1;
}

/// The element's bits from the number on the top of the stack; an error of Lua where it is none.
std::uint64_t bits_of_top(lua_State* lua, const ScalarType& type, std::size_t index) {
    const auto at = static_cast<lua_Integer>(index);
    if (lua_type(lua, -1) != LUA_TNUMBER) luaL_error(lua, "it does not give a number for i = %I", at);
    if (type.kind == ScalarType::Kind::real) {
        const double number = lua_tonumber(lua, -1);
        if (type.bytes == 8) return std::bit_cast<std::uint64_t>(number);
        const auto single = static_cast<float>(number);
        return type.bytes == 2 ? half_from_float(single) : std::bit_cast<std::uint32_t>(single);
    }
    int is_integer = 0;
    const lua_Integer integer = lua_tointegerx(lua, -1, &is_integer);
    if (!is_integer)
        luaL_error(lua, "it gives %f for i = %I, which is not an integer; // divides and rounds down",
                   lua_tonumber(lua, -1), at);
    return static_cast<std::uint64_t>(integer);
}

/// All that a formula's elements depend on.
std::string key_of(const PreparedBuffer& buffer, const FillArguments& arguments) {
    std::string key = fmt::format("{} {} {} {}", buffer.element_type, buffer.data.size(), arguments.seed,
                                  arguments.formula);
    for (const auto& [name, value] : arguments.names) {
        if (arguments.formula.find(lua_name(name)) == std::string::npos) continue;
        key += fmt::format("\n{} {} ", name, value.index());
        std::visit(
            [&](const auto& held) {
                if constexpr (std::is_same_v<std::decay_t<decltype(held)>, double>)
                    key += fmt::format("{:a}", held);
                else key += fmt::format("{}", held);
            },
            value);
    }
    return key;
}

/// What formulas gave last: a launch that is tried with many texts has the same contents each time.
class FormulaMemory {
  public:
    bool copy(const std::string& key, std::vector<std::byte>& into) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(known_, key, &Known::key);
        if (found == known_.end()) return false;
        into = found->data;
        known_.splice(known_.begin(), known_, found);
        return true;
    }
    void keep(std::string key, const std::vector<std::byte>& data) {
        if (data.size() > most_bytes) return;
        const std::lock_guard lock(mutex_);
        bytes_ += data.size();
        known_.push_front({std::move(key), data});
        for (; bytes_ > most_bytes; known_.pop_back()) bytes_ -= known_.back().data.size();
    }

  private:
    static constexpr std::size_t most_bytes = 256u << 20;
    struct Known {
        std::string key;
        std::vector<std::byte> data;
    };
    std::mutex mutex_;
    std::list<Known> known_;  // the last that was asked for first
    std::size_t bytes_ = 0;
};

FormulaMemory& formula_memory() {
    static FormulaMemory memory;
    return memory;
}

}  // namespace

Status fill_by_formula(PreparedBuffer& buffer, const FillArguments& arguments) {
    const ScalarType* const type = find_scalar_type(buffer.element_type);
    if (!type) return fail("buffer `{}`: unknown type `{}`", buffer.name, buffer.element_type);
    const std::size_t count = buffer.data.size() / type->bytes;
    std::string key = key_of(buffer, arguments);
    if (formula_memory().copy(key, buffer.data)) return {};
    LuaSandbox sandbox(limits_of(count));
    for (const auto& [name, value] : arguments.names) WARPLENS_TRY(sandbox.set_global(lua_name(name), value));
    for (const char* function : {"random", "bf16_bits", "sum"})
        WARPLENS_TRY(sandbox.set_global(function, Value{std::int64_t{0}}));
    SplitMix64 generator{arguments.seed};
    const std::string chunk = "return function(i) return " + arguments.formula + "\nend";
    const Status status = sandbox.run([&](lua_State* lua) {
        lua_pushlightuserdata(lua, &generator);
        lua_pushcclosure(lua, lua_random, 1);
        lua_setglobal(lua, "random");
        lua_pushcfunction(lua, lua_bf16_bits);
        lua_setglobal(lua, "bf16_bits");
        lua_newtable(lua);
        lua_pushcclosure(lua, lua_sum, 1);
        lua_setglobal(lua, "sum");
        load_text(lua, "=", chunk);
        lua_call(lua, 0, 1);
        for (std::size_t i = 0; i < count; ++i) {
            lua_pushvalue(lua, -1);
            lua_pushinteger(lua, static_cast<lua_Integer>(i));
            lua_call(lua, 1, 1);
            const std::uint64_t bits = bits_of_top(lua, *type, i);
            std::memcpy(buffer.data.data() + i * type->bytes, &bits, type->bytes);
            lua_pop(lua, 1);
        }
    });
    if (status) {
        formula_memory().keep(std::move(key), buffer.data);
        return {};
    }
    return fail("buffer `{}`, formula `{}`: {}", buffer.name, arguments.formula, status.error().message);
}

}  // namespace warplens::instrumentation
