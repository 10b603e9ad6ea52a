// Walk: calls of the CUDA runtime, of the C and C++ libraries and of the file's own functions, and launches.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/assumed_sizes.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

bool is_any(const std::string& name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

std::optional<std::int64_t> integer_at(const std::vector<Value>& arguments, std::size_t index) {
    if (index >= arguments.size() || arguments[index].kind != Kind::integer) return std::nullopt;
    return arguments[index].integer;
}

std::optional<std::int64_t> product(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    std::int64_t result = 0;
    if (!a || !b || *a < 0 || *b < 0 || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
    return result;
}

/// "array<float,4>"
std::string with_arguments(const std::string& name, const std::vector<std::string>& arguments) {
    return arguments.empty() ? name : fmt::format("{}<{}>", name, fmt::join(arguments, ","));
}

Value without_slot(Value value) {
    value.slot = nullptr;
    return value;
}

}  // namespace

Value Walk::call(const Call& given) {
    if (++steps_ > 200'000 || frames_.empty()) return {};
    Call call = given;
    if (!call.launch.empty() || call.name.starts_with("cuda"))
        for (Value& argument : call.arguments) argument = as_pointer(argument);
    if (!call.launch.empty()) {
        WalkedLaunch launch{
            call.name, call.scope, call.template_arguments, call.launch, call.arguments, call.origin,
            false,     {}};
        if (!call.object && kernels_.contains(launch.kernel))
            return launch_kernel(std::move(launch)), Value();
        const bool is_element = call.object && call.name.empty();  // kernels[i]<<<…>>>
        const Value pointer = is_element    ? *call.object
                              : call.object ? member(*call.object, call.name, call.origin)
                                            : look_up(call.name, call.origin);
        if (!pointer.kernel.empty()) {
            launch.kernel = pointer.kernel;
            launch.template_arguments = pointer.template_arguments;
        }
        launch_kernel(std::move(launch), pointer.others);
        return {};
    }
    if (call.object && call.object->kind == Kind::function && call.name.empty() && call.object->function)
        return call_lambda(*call.object->function, call.arguments);
    if (call.name == "swap" && swap_variables(call)) return {};
    if (call.object) {
        if (auto value = call_of_container(call)) return *value;
        return call_of_user(call);
    }
    if (const Value named = look_up(call.name, call.origin); named.kind == Kind::function && named.function)
        return call_lambda(*named.function, call.arguments);
    if (Value named = look_up(call.name, call.origin); named.slot && named.random) {  // of a distribution
        named.formula = drawn_again(named.formula);
        return without_slot(named);
    }
    if (const Value named = look_up(call.name, call.origin); named.kind == Kind::object && named.fields) {
        Call of_object = call;
        of_object.name = ")";  // the last token of the name operator()
        of_object.object = named;
        return call_of_user(of_object);
    }
    if (auto value = call_of_cuda(call)) return *value;
    if (auto value = call_of_driver(call)) return *value;
    if (own_type(call.name)) {
        const std::string name = call.scope.empty() ? call.name : call.scope + "::" + call.name;
        return made(resolved(with_arguments(name, call.template_arguments)), call.arguments, call.origin);
    }
    if (!functions_.contains(call.name))
        if (auto value = call_of_library(call)) return *value;
    return call_of_user(call);
}

/// Keeps the launch with its memory as it is now; arguments that point to the same memory still do.
void Walk::launch_kernel(WalkedLaunch launch, const std::vector<Value>& others) {
    WalkedLaunch live = launch;
    Copies copies;
    const auto keep = [&](std::shared_ptr<Storage>& storage) {
        if (!storage) return;
        auto& copy = copies[storage.get()];
        if (!copy) {
            copy = std::make_shared<Storage>(*storage);
            forget_ended_loops(copy->contents);
        }
        storage = copy;
    };
    const auto keep_in = [&](const auto& self, Value& value, int depth) -> void {
        keep(value.storage);
        if (depth == deepest_structure) return;
        for (Value& element : value.list) self(self, element, depth + 1);
        if (value.function) {
            const auto function = std::make_shared<Function>(*value.function);
            for (auto& [name, captured] : function->captures) {
                captured = std::make_shared<Value>(*captured);
                self(self, *captured, depth + 1);
            }
            value.function = function;
        }
        if (!value.fields) return;
        const auto fields = std::make_shared<Fields>();
        for (const auto& [name, field] : *value.fields) {
            auto& copy = (*fields)[name] = std::make_shared<Value>(*field);
            self(self, *copy, depth + 1);
        }
        value.fields = fields;
    };
    for (Value& argument : launch.arguments) {
        argument = loaded(argument);
        keep_in(keep_in, argument, 0);
    }
    launches.push_back(launch);
    written_by(live, launches.size() - 1, others.empty() ? copies : Copies());
    for (const Value& other : others) {
        launch.kernel = live.kernel = other.kernel;
        launch.template_arguments = other.template_arguments;
        launches.push_back(launch);
        written_by(live, launches.size() - 1, {});
    }
}

void Walk::allocate(const Value& pointer, std::optional<std::int64_t> bytes, const Roots& roots,
                    Origin origin) {
    if (pointer.kind != Kind::address || !pointer.target) return;
    Value to = look_at(pointer.target);
    const std::string element = pointed_to(resolved(to.type));
    assign(to, memory_of(to.type.empty() ? "" : element, bytes, origin, roots), origin);
}

std::optional<Value> Walk::call_of_cuda(const Call& call) {
    const std::vector<Value>& given = call.arguments;
    const std::string& name = call.name;
    const auto at = [&](std::size_t i) { return i < given.size() ? given[i] : Value(); };
    if (auto value = call_of_images(call)) return *value;
    // cuda_alloc is the program's own, and cudaCheck may be.
    if (!name.starts_with("cuda") || name.starts_with("cuda_") || functions_.contains(name))
        return std::nullopt;
    const Value done = Value::of(0);
    if (is_any(name,
               {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync"})) {
        allocate(at(0), integer_at(given, 1), at(1).roots, call.origin);
    } else if (name == "cudaMallocPitch" || name == "cudaMalloc2D") {
        const auto width = integer_at(given, 2);
        constexpr std::int64_t widest = std::int64_t{1} << 40;
        const bool fits = width && *width >= 0 && *width <= widest;
        const auto pitch = fits ? std::optional((*width + 511) / 512 * 512) : std::nullopt;
        // Two pitches may be equal by chance: each is a number of its own.
        const Roots rounded_roots = merged(at(2).roots, own_root());
        allocate(at(0), product(pitch, integer_at(given, 3)), merged(rounded_roots, at(3).roots),
                 call.origin);
        if (pitch && at(1).target) {
            Value rounded = Value::of(*pitch);
            rounded.roots = rounded_roots;
            assign(look_at(at(1).target), rounded, call.origin);
        }
    } else if (name == "cudaMemcpy" || name == "cudaMemcpyAsync") {
        copy(at(0), at(1), at(2), call.origin);
    } else if (name == "cudaMemcpy2D" || name == "cudaMemcpy2DAsync") {
        copy_2d(given, call.origin);
    } else if (name == "cudaMemcpyToSymbol" || name == "cudaMemcpyToSymbolAsync") {
        copy_to_symbol(call);
    } else if (name == "cudaMemcpyFromSymbol" || name == "cudaMemcpyFromSymbolAsync") {
        if (at(0).storage) guess(*at(0).storage, "`" + name + "`", call.origin);
        forget_number(at(0).target);
    } else if (name == "cudaMemset" || name == "cudaMemsetAsync") {
        fill_bytes(at(0), at(1), at(2), call.origin);
    } else if (name == "cudaHostGetDevicePointer" || name == "cudaGetSymbolAddress") {
        if (at(0).target) assign(look_at(at(0).target), at(1), call.origin);
    } else if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") {
        launch_through_runtime(call);
    } else if (name == "cudaLaunchKernelEx") {
        launch_by_configuration(call);
    } else if (name == "cudaGetDevice" || name == "cudaGetDeviceCount") {
        if (at(0).target)
            assign(look_at(at(0).target), Value::of(name == "cudaGetDevice" ? 0 : 1), call.origin);
    } else if (name == "cudaDeviceGetAttribute") {
        if (at(0).target) assign(look_at(at(0).target), at(1), call.origin);
    } else if (name.starts_with("cudaOccupancy")) {
        call_of_occupancy(call);
    } else if ((name.starts_with("cudaMemcpy") || name.starts_with("cudaMemset")) && at(0).storage) {
        guess(*at(0).storage, "`" + name + "`", call.origin);
    }
    return done;
}

/// The kernel is the first argument, the arguments' addresses are in an array.
void Walk::launch_through_runtime(const Call& call) {
    if (call.arguments.size() < 4 || call.arguments[0].kernel.empty()) return;
    WalkedLaunch launch;
    launch.kernel = call.arguments[0].kernel;
    launch.template_arguments = call.arguments[0].template_arguments;
    launch.origin = call.origin;
    launch.cooperative = call.name == "cudaLaunchCooperativeKernel";
    launch.launch = {call.arguments[1], call.arguments[2]};
    if (call.arguments.size() > 4) launch.launch.push_back(call.arguments[4]);
    for (const Value& argument : call.arguments[3].list)
        launch.arguments.push_back(argument.target ? *argument.target : argument);
    launch_kernel(std::move(launch), call.arguments[0].others);
}

/// cudaLaunchKernelEx(&configuration, kernel, arguments…)
void Walk::launch_by_configuration(const Call& call) {
    if (call.arguments.size() < 2 || call.arguments[1].kernel.empty()) return;
    const Slot& config = call.arguments[0].target;
    if (!config || !config->fields) return;
    const auto field = [&](const char* name) { return field_of(*config, name); };
    const Value& kernel = call.arguments[1];
    WalkedLaunch launch{kernel.kernel, "", kernel.template_arguments, {}, {}, call.origin, false, {}};
    launch.launch = {field("gridDim"), field("blockDim")};
    if (const Value bytes = field("dynamicSmemBytes"); bytes.known()) launch.launch.push_back(bytes);
    launch.arguments.assign(call.arguments.begin() + 2, call.arguments.end());
    if (const Value attributes = field("attrs"); attributes.fields)
        for (const auto& [name, attribute] : *attributes.fields) {
            const Value value = field_of(*attribute, "val");
            launch.cooperative |= field_of(value, "cooperative").integer != 0;
            const Value cluster = field_of(value, "clusterDim");
            if (cluster.fields)
                for (const char* axis : {"x", "y", "z"}) launch.cluster.push_back(field_of(cluster, axis));
        }
    launch_kernel(std::move(launch));
}

std::optional<Value> Walk::call_of_library(const Call& call) {
    const std::vector<Value>& given = call.arguments;
    const std::string& name = call.name;
    const auto at = [&](std::size_t i) { return i < given.size() ? given[i] : Value(); };
    if (name.starts_with("make_cu") && name.ends_with("Complex")) {
        Call of_numbers = call;
        of_numbers.name = "make_" + resolved(name.substr(5));
        if (of_numbers.name.size() < name.size()) return call_of_library(of_numbers);
    }
    if (name == "malloc" || name == "aligned_alloc" || name == "_aligned_malloc") {
        const std::size_t size = name == "aligned_alloc" ? 1 : 0;
        return memory_of("", integer_at(given, size), call.origin, at(size).roots);
    }
    if (name == "calloc") {
        Value memory = memory_of("", product(integer_at(given, 0), integer_at(given, 1)), call.origin,
                                 merged(at(0).roots, at(1).roots));
        fill_all(*memory.storage, "char", number_formula(0, NumberType::i32), call.origin);
        return memory;
    }
    if (name == "new" || name == "make_unique" || name == "make_shared") {
        if (call.template_arguments.empty()) return Value();
        std::string element = call.template_arguments[0];
        const bool is_array = name == "new" ? given.size() == 1 : element.find('[') != std::string::npos;
        if (!is_array && own_type(element)) return made(element, given, call.origin);
        if (const auto open = element.find('['); open != std::string::npos) element.resize(open);
        const auto bytes = is_array ? product(integer_at(given, 0), size_of(element)) : size_of(element);
        Value memory = memory_of(element, bytes, call.origin, is_array ? at(0).roots : Roots());
        if (name != "new")
            fill_all(*memory.storage, element, number_formula(0, NumberType::i32), call.origin);
        return memory;
    }
    if (auto value = call_of_fill(call)) return *value;
    if (given.size() == 1 && at(0).kind == Kind::memory &&
        is_any(name, {"begin", "end", "cbegin", "cend", "data"})) {
        Call of_container = call;
        of_container.object = at(0);
        return call_of_container(of_container);
    }
    if (auto value = call_of_random(call)) return *value;
    if (name == "raw_pointer_cast" || name == "move" || name == "forward" || name == "ref") return at(0);
    if (name.starts_with("make_") && name.size() > 6 && name.back() >= '2' && name.back() <= '4' &&
        name != "make_uint3") {
        Value list;
        list.kind = Kind::list;
        list.list = given;
        const std::string of = name.substr(5, name.size() - 6);
        for (Value& member : list.list) member = cast_to(loaded(member), of);
        list.type = name.substr(5);
        return list;
    }
    if (name == "dim3" || name == "make_uint3" || name == "make_dim3")
        return constructed("dim3", given, call.origin);
    if (is_any(name, {"min", "max", "fmin", "fmax", "MIN", "MAX", "std::min"}) && given.size() == 2) {
        if (!at(0).is_number() || !at(1).is_number()) return at(0).is_number() ? at(0) : at(1);
        const bool less = at(0).number() < at(1).number();
        return less == (name == "min" || name == "fmin" || name == "MIN") ? at(0) : at(1);
    }
    if (given.size() == 1 && at(0).is_number()) {
        const double x = at(0).number();
        const std::pair<std::string_view, double> functions[] = {
            {"ceil", std::ceil(x)},    {"ceilf", std::ceil(x)}, {"floor", std::floor(x)},
            {"floorf", std::floor(x)}, {"sqrt", std::sqrt(x)},  {"sqrtf", std::sqrt(x)},
            {"log2", std::log2(x)},    {"log2f", std::log2(x)}, {"round", std::round(x)},
            {"exp2", std::exp2(x)}};
        for (const auto& [word, result] : functions)
            if (word == name && std::isfinite(result)) {
                Value value = Value::of_real(result);
                value.varies = at(0).varies, value.roots = at(0).roots;
                value.formula = at(0).varies ? function_formula(name, formula_of(at(0))) : nullptr;
                return value;
            }
        if (name == "abs" && !at(0).varies) return x < 0 ? combine("-", Value::of(0), at(0)) : at(0);
    }
    if (name == "pow" || name == "powf") {
        Value power;
        if (at(0).is_number() && at(1).is_number())
            power = Value::of_real(std::pow(at(0).number(), at(1).number()));
        power.varies = at(0).varies || at(1).varies;
        power.random = at(0).random;
        if (power.varies) power.formula = power_formula(name, formula_of(at(0)), formula_of(at(1)));
        if (power.formula) power.type = power.formula->type == NumberType::f32 ? "float" : "double";
        return power.formula || (power.known() && std::isfinite(power.real)) ? power : Value();
    }
    if (given.size() == 1)
        if (const FormulaPointer of = function_formula(name, formula_of(at(0)))) {
            Value value;
            value.varies = true, value.random = at(0).random;
            value.formula = of;
            value.type = of->type == NumberType::f32 ? "float" : is_real(of->type) ? "double" : "int";
            return value;
        }
    if (name.find("2half") != std::string::npos || name.find("2bfloat16") != std::string::npos) return at(0);
    if (name.starts_with("getopt") && options_.arguments) return Value::of(-1);  // no argument is left
    if (is_any(name, {"checkCmdLineFlag", "getCmdLineArgumentString", "getCmdLineArgumentInt"}))
        return Value::of(0);
    if (const std::string type = resolved(name); given.size() <= 1 && size_of_type(type))  // int(x)
        return cast_to(given.empty() ? Value::of(0) : at(0), type);
    const std::string type = resolved(with_arguments(name, call.template_arguments));
    if ((is_type(name) && !name.empty()) || is_vector(type)) return constructed(type, given, call.origin);
    return std::nullopt;
}

/// size, data, begin, resize … of a vector, and what a smart pointer has.
std::optional<Value> Walk::call_of_container(const Call& call) {
    const Value& object = *call.object;
    const std::string& name = call.name;
    if (object.kind != Kind::memory || !object.storage) return std::nullopt;
    const auto size = size_of(object.storage->element);
    if (name == "data" || name == "get" || name == "c_str" || name == "begin" || name == "end" ||
        name == "cbegin" || name == "cend") {
        Value value = object;
        value.slot = nullptr;
        value.type = object.storage->element.empty() ? "" : object.storage->element + "*";
        if (name == "end" || name == "cend")
            value.index =
                object.storage->bytes && size
                    ? number_formula(static_cast<double>(*object.storage->bytes / *size), NumberType::i64)
                    : nullptr;
        return value;
    }
    if (name == "size" && object.storage->bytes && size) {
        Value count = Value::of(*object.storage->bytes / *size);
        count.type = "size_t";
        count.roots = object.storage->roots;
        return count;
    }
    if (name == "resize" || name == "assign" || name == "reserve") {
        if (name == "reserve") return Value();
        object.storage->bytes = product(integer_at(call.arguments, 0), size);
        object.storage->origin = call.origin;
        object.storage->roots = call.arguments.empty() ? Roots() : call.arguments[0].roots;
        const Value zero = Value::of(0);
        fill_whole(object, call.arguments.size() > 1 ? call.arguments[1] : zero, call.origin);
        return Value();
    }
    const bool appends = name == "+=" || name == "append";  // to a std::string
    const Value added = appends && call.arguments.size() == 1 ? loaded(call.arguments[0]) : Value();
    if (appends && !added.is_number() && !added.formula) {
        object.storage->bytes = std::nullopt;
        guess(*object.storage, "a text that is not followed", call.origin);
    } else if (name == "push_back" || name == "emplace_back" || appends) {
        push_back(call);
    }
    return Value();
}

}  // namespace warplens::instrumentation::host_code
