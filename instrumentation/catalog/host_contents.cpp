#include "instrumentation/catalog/host_contents.h"

#include <cmath>

#include "instrumentation/catalog/doubtful_arguments.h"
#include "instrumentation/catalog/fill.h"
#include "instrumentation/catalog/host_types.h"
#include "instrumentation/catalog/launched_kernels.h"
#include "instrumentation/catalog/lua_sandbox.h"
#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

using host_code::Contents;

/// A formula as the simplest fill that is the same.
void take_formula(DraftArgument& row, const Contents& contents) {
    const bool bfloat = row.written_type.find("bfloat") != std::string::npos;
    const bool single = row.element_type == "f32" || row.element_type == "f16" || bfloat;
    const std::string text =
        text_of(contents.formula, single ? host_code::NumberType::f32 : host_code::NumberType::f64);
    const host_code::Formula& formula = *contents.formula;
    const bool is_number = formula.kind == host_code::Formula::Kind::number;
    const ScalarType* const type = find_scalar_type(row.element_type);
    const bool real = is_real_type(row.element_type);
    row.value.clear();
    if (is_number && formula.number == 0) {
        row.fill = "zero";
    } else if (is_number && !bfloat && type != nullptr && bits_of_scalar(*type, Value{formula.number})) {
        row.fill = "constant";
        row.value = text;
    } else if (text == "i" && !bfloat) {
        row.fill = "iota";
    } else if (text == "random()" && real) {
        row.fill = "random";
    } else if (formula.kind == host_code::Formula::Kind::random && !real && type != nullptr && !bfloat &&
               formula.most < std::ldexp(1.0, static_cast<int>(8 * type->bytes) - 1)) {
        row.fill = "random";
        row.value = std::to_string(static_cast<std::int64_t>(formula.most) + 1);
    } else {
        row.fill = "formula";
        row.value = bfloat ? "bf16_bits(" + text + ")" : text;
    }
}

}  // namespace

void take_contents(DraftArgument& row, const Contents& contents, const host_code::HostCode& code) {
    if (is_table_of_pointers(row)) {
        row.fill = "zero";
        row.value.clear();
        row.contents = "contents guessed: addresses, which are not followed";
        row.contents_guessed = true;
    } else if (contents.kind == Contents::Kind::unfilled) {
        row.fill = "zero";
        row.value.clear();
        row.contents = "not filled before the launch: 0";
    } else if (contents.kind == Contents::Kind::guessed && contents.formula &&
               is_readable(*contents.formula)) {
        take_formula(row, contents);
        row.contents = fmt::format("contents guessed: as before {} in {}, which may write to it", contents.by,
                                   place_in_code(contents.origin, code));
        row.contents_guessed = true;
    } else if (!contents.formula || !is_readable(*contents.formula)) {
        const std::string by = contents.formula ? "an initializer too long to be shown" : contents.by;
        row.contents =
            fmt::format("contents guessed: {} in {} fills it", by, place_in_code(contents.origin, code));
        row.contents_guessed = true;
    } else {
        take_formula(row, contents);
        if (contents.formula->has_random) row.contents = "random numbers in the program's range, not its own";
    }
}

}  // namespace warplens::instrumentation
