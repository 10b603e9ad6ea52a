#include "instrumentation/catalog/lua_sandbox.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <lua.hpp>
#include <utility>

#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {

using Clock = std::chrono::steady_clock;

struct LuaSandbox::State {
    LuaLimits limits;
    lua_State* lua = nullptr;
    std::size_t memory_held = 0;
    std::uint64_t memory_asked = 0;
    bool out_of_memory = false;
    std::uint64_t instructions = 0;
    bool exhausted = false;
    Clock::time_point began = Clock::now();
    std::vector<std::string> names;

    ~State() {
        if (lua) lua_close(lua);
    }
};

namespace {

constexpr int instructions_between_checks = 1000;

int lua_ceil_div(lua_State* lua) {
    if (lua_isinteger(lua, 1) && lua_isinteger(lua, 2)) {
        const lua_Integer a = lua_tointeger(lua, 1), b = lua_tointeger(lua, 2);
        if (b <= 0) return luaL_error(lua, "ceil_div needs a divisor above 0, got %I", b);
        lua_pushinteger(lua, a / b + (a % b > 0 ? 1 : 0));
    } else {
        lua_pushnumber(lua, std::ceil(luaL_checknumber(lua, 1) / luaL_checknumber(lua, 2)));
    }
    return 1;
}

int extreme(lua_State* lua, bool largest) {
    const int count = lua_gettop(lua);
    luaL_checknumber(lua, 1);
    int best = 1;
    for (int i = 2; i <= count; ++i) {
        luaL_checknumber(lua, i);
        if (largest ? lua_compare(lua, best, i, LUA_OPLT) : lua_compare(lua, i, best, LUA_OPLT)) best = i;
    }
    lua_pushvalue(lua, best);
    return 1;
}

int lua_min(lua_State* lua) { return extreme(lua, false); }
int lua_max(lua_State* lua) { return extreme(lua, true); }

/// An integer for a power of two, so that it can stand in a launch; a real number otherwise.
int lua_log2(lua_State* lua) {
    const double x = luaL_checknumber(lua, 1);
    int exponent = 0;
    if (x > 0 && std::frexp(x, &exponent) == 0.5 && exponent >= 1) {
        lua_pushinteger(lua, exponent - 1);
    } else {
        lua_pushnumber(lua, std::log2(x));
    }
    return 1;
}

int lua_pow2(lua_State* lua) {
    int is_integer = 0;
    const lua_Integer exponent = lua_tointegerx(lua, 1, &is_integer);
    if (is_integer && exponent >= 0 && exponent <= 62) {
        lua_pushinteger(lua, lua_Integer{1} << exponent);
    } else {
        lua_pushnumber(lua, std::exp2(luaL_checknumber(lua, 1)));
    }
    return 1;
}

/// Rounds to single precision, as an f32 buffer does.
int lua_f32(lua_State* lua) {
    lua_pushnumber(lua, static_cast<double>(static_cast<float>(luaL_checknumber(lua, 1))));
    return 1;
}

/// The 32 bits of a number in single precision, as an integer: of a structure whose members differ in type.
int lua_bits(lua_State* lua) {
    lua_pushinteger(lua, std::bit_cast<std::int32_t>(static_cast<float>(luaL_checknumber(lua, 1))));
    return 1;
}

constexpr luaL_Reg own_functions[] = {
    {"ceil_div", lua_ceil_div}, {"min", lua_min}, {"max", lua_max},      {"log2", lua_log2},
    {"pow2", lua_pow2},         {"f32", lua_f32}, {"bits_of", lua_bits},
};

// What the base library adds without opening a way out or a way around the limits: no pcall, which could
// swallow the limits' errors, no load, no metatables, no coroutines.
constexpr const char* kept_base_functions[] = {"tostring", "tonumber", "type",  "ipairs", "pairs",
                                               "next",     "select",   "error", "assert"};

/// Written into a fixed buffer, since raising a Lua error jumps over destructors.
void describe_unknown_name(const char* name, const std::vector<std::string>& names, char* text,
                           std::size_t capacity) noexcept {
    std::string message = "unknown name `" + std::string(name).substr(0, 80) + "`";
    const std::string suggestion = did_you_mean(name, names);
    message += suggestion.empty() ? " (known: " + listed(names) + ")" : suggestion;
    text[message.copy(text, capacity - 1)] = '\0';
}

/// __index of the globals: upvalue 1 is the list of names.
int unknown_name(lua_State* lua) {
    const auto* names =
        static_cast<const std::vector<std::string>*>(lua_touserdata(lua, lua_upvalueindex(1)));
    char text[512];
    describe_unknown_name(lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?", *names, text,
                          sizeof text);
    return luaL_error(lua, "%s", text);
}

int call_work(lua_State* lua) {
    const auto* work = static_cast<const std::function<void(lua_State*)>*>(lua_touserdata(lua, 1));
    lua_settop(lua, 0);
    (*work)(lua);
    return lua_gettop(lua) > 0 ? 1 : 0;
}

void push_value(lua_State* lua, const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        lua_pushinteger(lua, *integer);
    } else if (const auto* real = std::get_if<double>(&value)) {
        lua_pushnumber(lua, *real);
    } else {
        const auto& word = std::get<std::string>(value);
        lua_pushlstring(lua, word.data(), word.size());
    }
}

}  // namespace

LuaSandbox::LuaSandbox(LuaLimits limits) : state_(std::make_unique<State>()) {
    state_->limits = limits;
    const auto allocate = [](void* user, void* block, std::size_t old_size, std::size_t new_size) -> void* {
        auto& state = *static_cast<State*>(user);
        if (!block) old_size = 0;  // Lua gives the kind of object instead
        if (new_size == 0) {
            std::free(block);
            state.memory_held -= old_size;
            return nullptr;
        }
        if (new_size > old_size) {
            if (state.memory_held + (new_size - old_size) > state.limits.memory_bytes) return nullptr;
            state.memory_asked += new_size - old_size;
        }
        void* const moved = std::realloc(block, new_size);
        if (moved) state.memory_held += new_size - old_size;
        return moved;
    };
    state_->lua = lua_newstate(allocate, state_.get());
    if (!state_->lua) return;
    *static_cast<State**>(lua_getextraspace(state_->lua)) = state_.get();
    lua_sethook(
        state_->lua,
        [](lua_State* lua, lua_Debug*) {
            State& state = **static_cast<State**>(lua_getextraspace(lua));
            state.instructions += instructions_between_checks;
            const std::chrono::duration<double> elapsed = Clock::now() - state.began;
            if (state.instructions > state.limits.instructions ||
                state.memory_asked > state.limits.allocated_bytes || elapsed.count() > state.limits.seconds) {
                state.exhausted = true;
                luaL_error(lua, "it does not end within the limits (%I instructions)",
                           static_cast<lua_Integer>(state.limits.instructions));
            }
        },
        LUA_MASKCOUNT, instructions_between_checks);
    const std::vector<std::string>* names = &state_->names;
    const Status opened = run([names](lua_State* lua) {
        luaL_requiref(lua, LUA_GNAME, luaopen_base, 1);
        luaL_requiref(lua, LUA_MATHLIBNAME, luaopen_math, 0);
        for (const char* random : {"random", "randomseed"}) {
            lua_pushnil(lua);
            lua_setfield(lua, -2, random);
        }
        lua_newtable(lua);  // the new globals: 1 old globals, 2 math, 3 new
        for (const char* name : kept_base_functions) {
            lua_getfield(lua, 1, name);
            lua_setfield(lua, 3, name);
        }
        for (const luaL_Reg& function : own_functions) {
            lua_pushcfunction(lua, function.func);
            lua_setfield(lua, 3, function.name);
        }
        lua_pushvalue(lua, 2);
        lua_setfield(lua, 3, "math");
        lua_newtable(lua);
        lua_pushlightuserdata(lua, const_cast<std::vector<std::string>*>(names));
        lua_pushcclosure(lua, unknown_name, 1);
        lua_setfield(lua, -2, "__index");
        lua_setmetatable(lua, 3);
        lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
        lua_settop(lua, 0);
    });
    if (!opened) {
        lua_close(state_->lua);
        state_->lua = nullptr;
    }
    state_->names = lua_function_names();
}

LuaSandbox::~LuaSandbox() = default;
LuaSandbox::LuaSandbox(LuaSandbox&&) noexcept = default;
LuaSandbox& LuaSandbox::operator=(LuaSandbox&&) noexcept = default;

Status LuaSandbox::run(const std::function<void(lua_State*)>& work) {
    lua_State* const lua = state_->lua;
    if (!lua) return fail("there is not enough memory to evaluate expressions");
    if (state_->exhausted) return fail("it does not end within the limits");
    const int base = lua_gettop(lua);
    lua_pushcfunction(lua, call_work);
    lua_pushlightuserdata(lua, const_cast<std::function<void(lua_State*)>*>(&work));
    if (lua_pcall(lua, 1, 0, 0) == LUA_OK) return {};
    std::string message = "an error that is not text";
    if (lua_type(lua, -1) == LUA_TSTRING) message = lua_tostring(lua, -1);
    lua_settop(lua, base);
    if (message == "not enough memory") {
        state_->out_of_memory = true;
        message = "it needs too much memory";
    }
    return fail("{}", message);
}

Status LuaSandbox::set_global(const std::string& name, const Value& value) {
    Status status = run([&](lua_State* lua) {
        push_value(lua, value);
        lua_setglobal(lua, name.c_str());
    });
    auto& names = state_->names;
    if (status && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return status;
}

std::uint64_t LuaSandbox::instructions_used() const { return state_->instructions; }
bool LuaSandbox::ran_out_of_memory() const { return state_->out_of_memory; }
bool LuaSandbox::exhausted() const { return state_->exhausted; }
const std::vector<std::string>& LuaSandbox::names() const { return state_->names; }

void load_text(lua_State* lua, const char* name, const std::string& text) {
    if (luaL_loadbufferx(lua, text.data(), text.size(), name, "t") != LUA_OK) lua_error(lua);
}

std::string lua_name(const std::string& name) {
    static constexpr const char* keywords[] = {
        "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
        "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};
    const bool is_keyword = std::any_of(std::begin(keywords), std::end(keywords),
                                        [&](const char* keyword) { return name == keyword; });
    return is_keyword ? name + "_" : name;
}

const std::vector<std::string>& lua_function_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"math"};
        for (const luaL_Reg& function : own_functions) all.emplace_back(function.name);
        return all;
    }();
    return names;
}

}  // namespace warplens::instrumentation
