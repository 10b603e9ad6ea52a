// Walk: calls of the CUDA driver API: memory, copies, and launches of kernels by their names.
#include <algorithm>
#include <string_view>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

/// "cuMemAlloc" of "cuMemAlloc_v2" and "cuMemcpyHtoD" of "cuMemcpyHtoDAsync".
std::string_view driver_name(std::string_view name) {
    for (const std::string_view ending : {"_v2", "Async"})
        if (name.ends_with(ending)) name.remove_suffix(ending.size());
    return name;
}

std::optional<std::int64_t> integer_in(const Value& value) {
    return value.kind == Kind::integer ? std::optional(value.integer) : std::nullopt;
}

}  // namespace

std::optional<Value> Walk::call_of_driver(const Call& call) {
    const bool driver = call.name.size() > 2 && call.name.starts_with("cu") && call.name[2] >= 'A' &&
                        call.name[2] <= 'Z' && !functions_.contains(call.name);
    if (!driver) return std::nullopt;
    const std::string_view name = driver_name(call.name);
    const auto at = [&](std::size_t i) { return i < call.arguments.size() ? call.arguments[i] : Value(); };
    if (name == "cuMemAlloc" || name == "cuMemAllocHost" || name == "cuMemHostAlloc" ||
        name == "cuMemAllocManaged") {
        allocate(at(0), integer_in(at(1)), at(1).roots, call.origin);
    } else if (name == "cuMemcpy" || name == "cuMemcpyHtoD" || name == "cuMemcpyDtoH" ||
               name == "cuMemcpyDtoD") {
        copy(at(0), at(1), at(2), call.origin);
    } else if (name == "cuMemsetD8") {
        fill_bytes(at(0), at(1), at(2), call.origin);
    } else if (name == "cuMemsetD32" || name == "cuMemsetD16") {
        const Value word = loaded(at(1)), bytes = Value::of(name == "cuMemsetD32" ? 4 : 2);
        const bool known = word.kind == Kind::integer && !word.varies;
        const Value size = combine("*", at(2), bytes);
        const bool all = at(0).storage && at(0).index && at(0).index->kind == Formula::Kind::number &&
                         at(0).index->number == 0 && size.kind == Kind::integer && at(0).storage->bytes &&
                         size.integer >= *at(0).storage->bytes && guard_.known && !guard_.condition;
        if (known && word.integer == 0) fill_bytes(at(0), word, size, call.origin);
        else if (known && all && bytes.integer == 4)  // bits, perhaps of real numbers
            fill_all(*at(0).storage, "unsigned int",
                     number_formula(static_cast<double>(word.integer & 0xffffffff), NumberType::i64),
                     call.origin);
        else if (at(0).storage) guess(*at(0).storage, "`" + call.name + "`", call.origin);
    } else if (name == "cuModuleGetFunction" || name == "cuLibraryGetKernel") {
        const std::string kernel(at(2).text);
        if (!at(0).target || !kernels_.contains(kernel)) return Value::of(0);
        Value function;
        function.kind = Kind::function;
        function.kernel = kernel;
        assign(look_at(at(0).target), function, call.origin);
    } else if (name == "cuLaunchKernel" || name == "cuLaunchCooperativeKernel") {
        launch_through_driver(call);
    }
    return Value::of(0);
}

/// cuLaunchKernel(function, grid in three numbers, block in three, shared bytes, stream, arguments'
/// addresses)
void Walk::launch_through_driver(const Call& call) {
    const std::vector<Value>& given = call.arguments;
    constexpr std::size_t arguments = 9;
    if (given.size() <= arguments || given[0].kernel.empty()) return;
    WalkedLaunch launch;
    launch.kernel = given[0].kernel;
    launch.origin = call.origin;
    launch.cooperative = call.name.starts_with("cuLaunchCooperative");
    for (const std::size_t first : {1, 4})
        launch.launch.push_back(
            constructed("dim3", {given[first], given[first + 1], given[first + 2]}, call.origin));
    launch.launch.push_back(given[7]);
    for (const Value& argument : given[arguments].list)
        launch.arguments.push_back(argument.target ? *argument.target : argument);
    launch_kernel(std::move(launch), given[0].others);
}

}  // namespace warplens::instrumentation::host_code
