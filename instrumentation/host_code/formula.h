// Formula: an element of memory as a function of its index, or a value as a function of the loops around it.
// A formula is built while host code is followed, with C's types and conversions, and printed as the
// expression of fill `formula` (docs/kernel_header.md). What cannot be expressed exactly is not a formula:
// null. Random numbers are the exception: they have the range of the program's, not its values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/catalog/split_mix.h"

namespace warplens::instrumentation::host_code {

/// C's arithmetic types as far as they differ in results, by their rank. 64 unsigned bits count as i64.
enum class NumberType : std::uint8_t { i32, u32, i64, f32, f64 };
constexpr bool is_real(NumberType type) { return type >= NumberType::f32; }

/// A loop `for (v = first; v < first + step * count; v += step)`.
struct Loop {
    int id = 0;
    std::int64_t first = 0, step = 1, count = 0;
};

struct Formula;
using FormulaPointer = std::shared_ptr<const Formula>;

struct Formula {
    enum class Kind : std::uint8_t { number, index, loop, random, unary, binary, select, list, sum };
    Kind kind = Kind::number;
    NumberType type = NumberType::i32;
    double least = 0, most = 0;  // range of its values
    double number = 0;           // of integers up to 2^53
    Loop loop;
    std::string word;  // operator or function; of random: "" in [0, 1), else below `most + 1`
    std::vector<FormulaPointer> operands;             // of sum: how many terms, and the term
    std::shared_ptr<const std::vector<double>> sums;  // of sum: of the first 0, 1, 2, … terms
    bool has_random = false;
    std::size_t size = 1;  // nodes
};

/// Counts its nodes; null where an operand is, or the formula is too long to read.
FormulaPointer made(Formula formula);
FormulaPointer number_formula(double number, NumberType type);
/// The index of one of `count` elements.
FormulaPointer index_formula(std::int64_t count = std::int64_t{1} << 44);
FormulaPointer loop_formula(const Loop& loop, NumberType type);
/// An integer from 0 to `below` - 1.
FormulaPointer random_below(std::int64_t below);
/// A real number from 0 to 1.
FormulaPointer random_fraction(NumberType type);
/// Whether both use one and the same random number.
bool share_random(const Formula& a, const Formula& b);
/// `a word b` of formulas that do, with that number once; null where it is not a straight line of it.
FormulaPointer of_one_random(std::string_view word, const FormulaPointer& a, const FormulaPointer& b);
/// The same with other random numbers, as of another call.
FormulaPointer drawn_again(const FormulaPointer& formula);

/// Of x // n * n and x % n what x is; null: they are other formulas.
FormulaPointer put_together(const Formula& left, const Formula& right);
/// `a word b` with C's conversions: + - * / % & | ^ << >> and comparisons. Null for operands of null.
FormulaPointer binary_formula(std::string_view word, FormulaPointer a, FormulaPointer b);
/// sin, cos, sqrt, exp, floor, abs, …; null for other words.
FormulaPointer function_formula(std::string_view word, FormulaPointer a);
/// pow and powf of a number that is never negative; null for others.
FormulaPointer power_formula(std::string_view word, FormulaPointer a, FormulaPointer b);
FormulaPointer converted(FormulaPointer a, NumberType type);
/// The 32 bits that the number has in single precision, as an integer.
FormulaPointer bits_of(FormulaPointer a);
bool is_comparison(std::string_view word);
/// A comparison, or what `and` and `or` make of comparisons, as it is; a number as "is not 0".
FormulaPointer condition_of(FormulaPointer a);
/// A condition as C's 0 or 1; a number as it is.
FormulaPointer as_number(FormulaPointer a);
/// condition ? yes : no. Null where both use one random number.
FormulaPointer select_formula(FormulaPointer condition, FormulaPointer yes, FormulaPointer no);
/// Element i of the numbers, 0 after the last. Counts as one node.
FormulaPointer list_formula(std::vector<FormulaPointer> numbers, NumberType type);
/// The sum of the first `count` terms, each a function of its index: integers, exact, and added up here, for
/// which `budget` has steps. Null where one is random, needs a loop or overflows.
FormulaPointer sum_formula(const FormulaPointer& count, const FormulaPointer& term, std::size_t& budget);
/// `value` where the condition holds, else what was there `before`. Where the branch before put something on
/// the opposite condition, of the same random number, that number is drawn once.
FormulaPointer replaced_where(FormulaPointer condition, FormulaPointer value, FormulaPointer before);
FormulaPointer negated_condition(const FormulaPointer& of);
/// Of two nulls, and of one, the other: null is not a condition. Null also where two make none.
FormulaPointer both_conditions(FormulaPointer a, FormulaPointer b);
FormulaPointer either_condition(FormulaPointer a, FormulaPointer b);

/// With `index` in place of the element's index, and formulas in place of loops.
FormulaPointer substituted(const FormulaPointer& formula, const FormulaPointer& index,
                           const std::map<int, FormulaPointer>& loops);

/// For elements `begin` to `end` - 1 alone: of a condition that they decide, only the side that they take.
FormulaPointer in_part(const FormulaPointer& formula, std::int64_t begin, std::int64_t end);

/// constant + sum of coefficient * loop variable; nothing when the formula has another form.
struct Affine {
    std::int64_t constant = 0;
    std::map<int, std::pair<Loop, std::int64_t>> terms;  // by the loop's id
};
std::optional<Affine> affine_of(const FormulaPointer& formula);
/// The loops whose variables the formula uses.
void add_loops(const FormulaPointer& formula, std::map<int, Loop>& loops);

/// A person can read it: no list of many numbers.
bool is_readable(const Formula& formula);
/// The expression as a header has it, with `i` for the element's index, stored as `stored`.
std::string text_of(const FormulaPointer& formula, NumberType stored);
enum class LoopVariables : std::uint8_t { unknown, first };  // first: as in the first iteration
/// Its value for an index; nothing for a formula with loops whose variables are unknown, or with random
/// numbers where no generator draws them.
std::optional<double> value_at(const Formula& formula, double index,
                               LoopVariables loops = LoopVariables::unknown, SplitMix64* draws = nullptr);

}  // namespace warplens::instrumentation::host_code
