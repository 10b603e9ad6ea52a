// The golden check: expected contents of a buffer, element by element, from a Lua function of the index that
// sees the parameters and the buffers' initial contents. Independent of the CPU engine and of the GPU.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <lua.hpp>
#include <numeric>

#include "core/half.h"
#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/fill.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/catalog/lua_sandbox.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint64_t all_up_to = 1u << 20;  // more elements than these are sampled
// Elements are checked until this many instructions are used up, well below a second; a chunk that needs
// more before its first element is done still gets `limits.instructions`.
constexpr std::uint64_t instruction_budget = 50'000'000;

LuaLimits golden_limits() {
    LuaLimits limits;
    limits.memory_bytes = 64u << 20;
    limits.allocated_bytes = 1u << 30;
    limits.instructions = 400'000'000;
    limits.seconds = 20;
    return limits;
}

/// A buffer as a chunk sees it: read by 0-based index, never copied.
struct View {
    const std::byte* data;
    std::uint64_t length;
    char kind;  // u, i or f
    std::uint32_t bytes;
    const char* name;
};

template <class Element>
Element read_as(const View& view, std::uint64_t index) {
    Element element;
    std::memcpy(&element, view.data + index * sizeof(Element), sizeof(Element));
    return element;
}

double real_at(const View& view, std::uint64_t index) {
    if (view.bytes == 2) return static_cast<double>(half_to_float(read_as<std::uint16_t>(view, index)));
    return view.bytes == 4 ? static_cast<double>(read_as<float>(view, index)) : read_as<double>(view, index);
}

std::int64_t integer_at(const View& view, std::uint64_t index) {
    const bool is_signed = view.kind == 'i';
    switch (view.bytes) {
        case 1:
            return is_signed ? std::int64_t{read_as<std::int8_t>(view, index)}
                             : std::int64_t{read_as<std::uint8_t>(view, index)};
        case 2:
            return is_signed ? std::int64_t{read_as<std::int16_t>(view, index)}
                             : std::int64_t{read_as<std::uint16_t>(view, index)};
        case 4:
            return is_signed ? std::int64_t{read_as<std::int32_t>(view, index)}
                             : std::int64_t{read_as<std::uint32_t>(view, index)};
        default:
            return read_as<std::int64_t>(view, index);
    }
}

constexpr const char* view_type = "warplens.buffer";

int read_view(lua_State* lua) {
    const View& view = **static_cast<const View**>(lua_touserdata(lua, 1));
    int is_integer = 0;
    const lua_Integer index = lua_tointegerx(lua, 2, &is_integer);
    if (!is_integer || index < 0 || static_cast<std::uint64_t>(index) >= view.length) {
        const char* const text = luaL_tolstring(lua, 2, nullptr);
        return luaL_error(lua, "%s[%s] is out of range; it has elements 0 to %I", view.name, text,
                          static_cast<lua_Integer>(view.length) - 1);
    }
    if (view.kind == 'f') {
        lua_pushnumber(lua, real_at(view, static_cast<std::uint64_t>(index)));
    } else {
        lua_pushinteger(lua, integer_at(view, static_cast<std::uint64_t>(index)));
    }
    return 1;
}

int length_of_view(lua_State* lua) {
    lua_pushinteger(lua,
                    static_cast<lua_Integer>((**static_cast<const View**>(lua_touserdata(lua, 1))).length));
    return 1;
}

Status expose_view(LuaSandbox& sandbox, const View& view, const std::string& name) {
    WARPLENS_TRY(sandbox.set_global(name, Value{std::int64_t{0}}));
    return sandbox.run([&](lua_State* lua) {
        *static_cast<const View**>(lua_newuserdatauv(lua, sizeof(const View*), 0)) = &view;
        if (luaL_newmetatable(lua, view_type)) {
            lua_pushcfunction(lua, read_view);
            lua_setfield(lua, -2, "__index");
            lua_pushcfunction(lua, length_of_view);
            lua_setfield(lua, -2, "__len");
        }
        lua_setmetatable(lua, -2);
        lua_setglobal(lua, name.c_str());
        lua_settop(lua, 0);
    });
}

/// What a golden function gave for one element.
struct Expected {
    enum class Kind { other, integer, real } kind = Kind::other;
    std::int64_t integer = 0;
    double real = 0;
};

bool equal_reals(double got, double expected, double tolerance) {
    if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
    if (got == expected) return true;
    if (std::isinf(got) || std::isinf(expected)) return false;
    return std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

bool equal(const View& result, std::uint64_t index, const Expected& expected, double tolerance) {
    if (result.kind == 'f') {
        // A buffer of narrower reals can hold no more than the expected value rounded to them.
        const auto narrowed = static_cast<float>(expected.real);
        const double wanted = result.bytes == 2
                                  ? static_cast<double>(half_to_float(half_from_float(narrowed)))
                              : result.bytes == 4 ? static_cast<double>(narrowed)
                                                  : expected.real;
        return equal_reals(real_at(result, index), wanted, tolerance);
    }
    if (tolerance > 0) {
        return equal_reals(static_cast<double>(integer_at(result, index)), expected.real, tolerance);
    }
    return expected.kind == Expected::Kind::integer && integer_at(result, index) == expected.integer;
}

std::string element_text(const View& view, std::uint64_t index) {
    if (view.kind != 'f') {
        const std::int64_t integer = integer_at(view, index);
        return view.kind == 'u' ? std::to_string(static_cast<std::uint64_t>(integer))
                                : std::to_string(integer);
    }
    return view.bytes <= 4 ? fmt::format("{}", static_cast<float>(real_at(view, index)))
                           : fmt::format("{}", read_as<double>(view, index));
}

/// Element `turn` of a walk over 0 … total-1 that meets each once and whose every beginning is spread evenly:
/// steps of the golden ratio, made coprime to the total.
class EvenWalk {
  public:
    explicit EvenWalk(std::uint64_t total) : total_(total) {
        step_ =
            std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(total) * 0.6180339887));
        while (std::gcd(step_, total_) != 1) ++step_;
    }
    std::uint64_t next() {
        const std::uint64_t current = at_;
        at_ = (at_ + step_) % total_;
        return current;
    }

  private:
    std::uint64_t total_, step_ = 1, at_ = 0;
};

struct Differences {
    std::uint64_t checked = 0;
    std::uint64_t count = 0;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();  // lowest index that differs
    Expected expected;                                                // there
};

class GoldenFunction {
  public:
    static Result<GoldenFunction> load(const KernelFile& kernel, const GoldenDeclaration& golden,
                                       const PreparedLaunch& launch, const std::vector<View>& views,
                                       bool& ran_out) {
        GoldenFunction function{LuaSandbox(golden_limits())};
        for (const ParameterDeclaration& parameter : kernel.parameters) {
            const auto found = launch.parameters.find(parameter.name);
            if (found == launch.parameters.end()) return fail("no value for `{}`", parameter.name);
            WARPLENS_TRY(const auto value, value_in_expressions(parameter, found->second));
            WARPLENS_TRY(function.sandbox_.set_global(lua_name(parameter.name), value));
        }
        for (const View& view : views) {
            WARPLENS_TRY(expose_view(function.sandbox_, view, lua_name(view.name)));
        }
        bool is_function = false;
        const Status loaded = function.sandbox_.run([&](lua_State* lua) {
            load_text(lua, "=lua", golden.lua);
            lua_call(lua, 0, 1);
            is_function = lua_isfunction(lua, -1);
            function.reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
        });
        ran_out = function.ran_out();
        if (!loaded) return tl::unexpected(loaded.error());
        if (!is_function) return fail("the chunk must return a function of the element's index");
        return function;
    }

    Result<Expected> at(std::uint64_t index) {
        Expected expected;
        const Status status = sandbox_.run([&](lua_State* lua) {
            lua_rawgeti(lua, LUA_REGISTRYINDEX, reference_);
            lua_pushinteger(lua, static_cast<lua_Integer>(index));
            lua_call(lua, 1, 1);
            if (lua_type(lua, -1) != LUA_TNUMBER) return;
            int whole = 0;
            expected.integer = lua_tointegerx(lua, -1, &whole);
            expected.real = lua_tonumber(lua, -1);
            expected.kind = whole ? Expected::Kind::integer : Expected::Kind::real;
        });
        if (!status) return fail("element {}: {}", index, status.error().message);
        if (expected.kind == Expected::Kind::other)
            return fail("element {}: the function does not give a number", index);
        return expected;
    }

    std::uint64_t instructions_used() const { return sandbox_.instructions_used(); }
    /// Of memory, work or time: what it would have said is not known.
    bool ran_out() const { return sandbox_.ran_out_of_memory() || sandbox_.exhausted(); }

  private:
    explicit GoldenFunction(LuaSandbox sandbox) : sandbox_(std::move(sandbox)) {}
    LuaSandbox sandbox_;
    int reference_ = 0;
};

Status compare_element(GoldenFunction& function, const View& result, std::uint64_t index, double tolerance,
                       Differences& differences) {
    WARPLENS_TRY(const auto expected, function.at(index));
    ++differences.checked;
    if (equal(result, index, expected, tolerance)) return {};
    ++differences.count;
    if (index < differences.first) {
        differences.first = index;
        differences.expected = expected;
    }
    return {};
}

Result<Differences> compare(GoldenFunction& function, const View& result, double tolerance) {
    Differences differences;
    if (result.length == 0) return differences;
    const std::uint64_t last = result.length - 1;
    // The last element first: tails go wrong most.
    WARPLENS_TRY(compare_element(function, result, last, tolerance, differences));
    EvenWalk walk(result.length);
    const std::uint64_t most = std::min(result.length, all_up_to);
    for (std::uint64_t turn = 0; turn < result.length && differences.checked < most; ++turn) {
        if (function.instructions_used() > instruction_budget) break;
        const std::uint64_t index = walk.next();
        if (index == last) continue;
        WARPLENS_TRY(compare_element(function, result, index, tolerance, differences));
    }
    return differences;
}

std::string describe(const Differences& differences, const View& result, const std::string& name) {
    const Expected& expected = differences.expected;
    const std::string wanted = expected.kind == Expected::Kind::integer && result.kind != 'f'
                                   ? std::to_string(expected.integer)
                                   : fmt::format("{}", expected.real);
    const bool all = differences.checked == result.length;
    return fmt::format("{}[{}]: {}, expected {} ({} of {} elements{} differ)", name, differences.first,
                       element_text(result, differences.first), wanted, differences.count,
                       differences.checked, all ? "" : " checked");
}

}  // namespace

Result<GoldenResult> check_golden(const KernelFile& kernel, const PreparedLaunch& launch,
                                  const std::vector<const std::byte*>& results) {
    GoldenResult outcome;
    outcome.declared = !kernel.golden.empty();
    if (!outcome.declared) return outcome;
    if (results.size() != launch.buffers.size()) {
        return fail("{}: {} result buffers for a launch with {}", kernel.name, results.size(),
                    launch.buffers.size());
    }
    std::vector<View> views;
    for (const PreparedBuffer& buffer : launch.buffers) {
        views.push_back({buffer.data.data(), buffer.data.size() / buffer.element_bytes,
                         buffer.element_type[0], buffer.element_bytes, buffer.name.c_str()});
    }
    outcome.passed = true;
    std::string not_checked;  // why one of the checks gave no answer
    for (const GoldenDeclaration& golden : kernel.golden) {
        const auto view = std::find_if(views.begin(), views.end(), [&](const View& candidate) {
            return golden.buffer == candidate.name;
        });
        if (view == views.end()) return fail("{}: no buffer `{}` to check", kernel.name, golden.buffer);
        View result = *view;
        result.data = results[static_cast<std::size_t>(view - views.begin())];
        bool ran_out = false;
        auto function = GoldenFunction::load(kernel, golden, launch, views, ran_out);
        const auto note_limits = [&](const Error& error) {
            not_checked = fmt::format("[golden.{}] passes the limits of a check ({} MiB of memory): {}",
                                      golden.buffer, golden_limits().memory_bytes >> 20, error.message);
        };
        if (!function && ran_out) {
            note_limits(function.error());
            continue;
        }
        if (!function)
            return fail("{}: [golden.{}]: {}", kernel.name, golden.buffer, function.error().message);
        const auto differences = compare(*function, result, golden.tolerance);
        if (!differences && function->ran_out()) {
            note_limits(differences.error());
            continue;
        }
        if (!differences) {
            return fail("{}: [golden.{}]: {}", kernel.name, golden.buffer, differences.error().message);
        }
        outcome.elements_checked += differences->checked;
        outcome.elements_total += result.length;
        if (differences->count > 0) {
            outcome.passed = false;
            if (!outcome.failure.empty()) outcome.failure += "; ";
            outcome.failure += describe(*differences, result, golden.buffer);
        }
    }
    if (outcome.passed && !not_checked.empty()) return fail("not checked: {}", not_checked);
    return outcome;
}

}  // namespace warplens::instrumentation
