// Random numbers of the host code: rand() and its like, the engines and the distributions of <random>.
#include <algorithm>
#include <numbers>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

constexpr std::int64_t rand_max = 2147483647;

/// How many numbers an engine of <random> gives, from 0 on; nothing: it is none.
std::optional<std::int64_t> numbers_of_engine(const std::string& type) {
    const auto is = [&](const char* name) { return type.find(name) != std::string::npos; };
    if (is("mt19937_64")) return std::nullopt;  // more than a formula counts
    if (is("mt19937") || is("random_device")) return std::int64_t{1} << 32;
    if (is("minstd_rand") || is("default_random_engine")) return (std::int64_t{1} << 31) - 1;
    return std::nullopt;
}

}  // namespace

bool is_random(const std::string& type) {
    return numbers_of_engine(type).has_value() || type.find("_distribution") != std::string::npos;
}

namespace {

Value random_value(FormulaPointer formula, const std::string& type) {
    Value value;
    value.random = value.varies = true;
    value.formula = std::move(formula);
    value.type = type;
    return value;
}

/// Box and Muller's transform of two random numbers.
FormulaPointer normal(const FormulaPointer& mean, const FormulaPointer& deviation, NumberType type) {
    const auto number = [](double of) { return number_formula(of, NumberType::f64); };
    Formula below_one = *random_fraction(NumberType::f64);
    below_one.most = 1 - 0x1p-24;  // the largest that is drawn
    const FormulaPointer above_zero = binary_formula("-", number(1), made(std::move(below_one)));
    const FormulaPointer length =
        function_formula("sqrt", binary_formula("*", number(-2), function_formula("log", above_zero)));
    const FormulaPointer angle =
        binary_formula("*", number(2 * std::numbers::pi), random_fraction(NumberType::f64));
    const FormulaPointer one = binary_formula("*", length, function_formula("cos", angle));
    return binary_formula("+", binary_formula("*", converted(one, type), deviation), mean);
}

}  // namespace

/// rand() and its like.
std::optional<Value> Walk::call_of_random(const Call& call) {
    const auto is_any = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, call.name) != names.end();
    };
    if (is_any({"rand", "random", "lrand48", "rand_r"}))
        return random_value(random_below(rand_max + 1), "int");
    if (is_any({"drand48", "erand48"})) return random_value(random_fraction(NumberType::f64), "double");
    return std::nullopt;
}

/// std::mt19937(seed), std::uniform_real_distribution<float>(a, b): called, it gives one of its numbers.
std::optional<Value> Walk::random_numbers(const std::string& type, const std::vector<Value>& arguments) {
    if (const auto count = numbers_of_engine(type)) return random_value(random_below(*count), "unsigned");
    if (type.find("_distribution") == std::string::npos) return std::nullopt;
    const auto at = [&](std::size_t i, double otherwise, NumberType number) {
        const FormulaPointer given = i < arguments.size() ? formula_of(loaded(arguments[i])) : nullptr;
        return i < arguments.size() ? converted(given, number) : number_formula(otherwise, number);
    };
    const std::string of = resolved(type.substr(std::min(type.find('<') + 1, type.size())));
    if (type.find("uniform_int") != std::string::npos) {
        const bool is_unsigned = of.starts_with("unsigned") || of.starts_with("uint32");
        const double largest = is_unsigned ? 4294967295.0 : static_cast<double>(rand_max);
        const FormulaPointer least = at(0, 0, NumberType::i64), most = at(1, largest, NumberType::i64);
        const bool known =
            least && most && least->kind == Formula::Kind::number && most->kind == Formula::Kind::number;
        if (!known) return random_value(nullptr, "int");
        const auto last = integer_of(most->number - least->number);
        if (!last || *last >= std::int64_t{1} << 53) return random_value(nullptr, "int");
        return random_value(binary_formula("+", random_below(*last + 1), least), "int");
    }
    const NumberType number = of.starts_with("float") ? NumberType::f32 : NumberType::f64;
    const std::string word = number == NumberType::f32 ? "float" : "double";
    if (type.find("::normal_dist") != std::string::npos || type.starts_with("normal_dist"))
        return random_value(normal(at(0, 0, number), at(1, 1, number), number), word);
    if (type.find("uniform_real") == std::string::npos) return random_value(nullptr, word);
    const FormulaPointer least = at(0, 0, number), most = at(1, 1, number);
    return random_value(
        binary_formula("+", binary_formula("*", random_fraction(number), binary_formula("-", most, least)),
                       least),
        word);
}

}  // namespace warplens::instrumentation::host_code
