// The approximate functions over a dense sample of their domains, compared with 64-bit significands: within
// the bounds of the PTX ISA, and within those of docs/approximate_math.md for the engine.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

using Wide = long double;

enum class Measure { ulp, relative, absolute };

struct Function {
    const char* form;  // "ex2.approx.f32"
    std::function<Wide(Wide)> exact;
    double low, high;  // the sample's range
    Measure measure;
    double allowed;  // by the ISA
    double engine;   // by docs/approximate_math.md
    bool flushes = false;
};

constexpr std::size_t samples = 1 << 15;

/// Evenly over the numbers between low and high and, where both have one sign, evenly over their exponents.
std::vector<float> sample_range(double low, double high) {
    std::vector<float> values;
    const bool one_sign = low > 0;
    for (std::size_t i = 0; i < samples; ++i) {
        const double at = (static_cast<double>(i) + 0.37) / samples;
        const bool by_exponent = one_sign && i % 2 == 0;
        const double value = by_exponent ? std::exp2(std::log2(low) + at * (std::log2(high) - std::log2(low)))
                                         : low + at * (high - low);
        values.push_back(static_cast<float>(value));
    }
    return values;
}

double error_of(Measure measure, float got, Wide exact) {
    const Wide apart = std::fabs(static_cast<Wide>(got) - exact);
    if (measure == Measure::absolute) return static_cast<double>(apart);
    if (measure == Measure::relative)
        return exact == 0 ? (apart == 0 ? 0 : 1) : static_cast<double>(apart / std::fabs(exact));
    int exponent = 0;
    std::frexp(exact, &exponent);
    return static_cast<double>(std::ldexp(apart, 24 - std::max(exponent, -125)));
}

std::vector<float> run_math(const std::string& code, const std::vector<float>& a,
                            const std::vector<float>& b) {
    KernelUnderTest kernel(
        "ld.param.u64 %d1, [out];\nld.param.u64 %d4, [a];\nld.param.u64 %d5, [b];\n"
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 256, %r1;\n"
        "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d1, %d1, %d2;\nadd.s64 %d4, %d4, %d2;\nadd.s64 %d5, %d5, %d2;\n"
        "ld.global.f32 %f1, [%d4];\nld.global.f32 %f2, [%d5];\n" +
            code + "\nst.global.f32 [%d1], %f3;\nret;\n",
        ".param .u64 out, .param .u64 a, .param .u64 b");
    kernel.buffer(std::vector<float>(a.size()), "out");
    kernel.buffer(a, "a");
    kernel.buffer(b, "b");
    kernel.geometry = {{static_cast<std::uint32_t>(a.size() / 256), 1, 1}, {256, 1, 1}, 0};
    const RunResult result = kernel.run();
    EXPECT_TRUE(result.completed);
    return kernel.contents<float>();
}

bool is_subnormal(Wide x) { return x != 0 && std::fabs(x) < 0x1p-126L; }

TEST(approximate_math, of_one_operand_is_within_the_bounds_everywhere) {
    const double pi = 3.14159265358979;
    const Function functions[] = {
        {"ex2.approx.f32", [](Wide x) { return std::exp2(x); }, -140, 127.9, Measure::ulp, 2, 0.51},
        {"ex2.approx.ftz.f32", [](Wide x) { return std::exp2(x); }, -125.9, 127.9, Measure::ulp, 2, 0.51,
         true},
        {"lg2.approx.f32", [](Wide x) { return std::log2(x); }, 0x1p-140, 0.5, Measure::relative, 0x1p-22,
         0x1p-23},
        {"lg2.approx.f32", [](Wide x) { return std::log2(x); }, 0.5, 2, Measure::absolute, 0x1p-22, 0x1p-24},
        {"lg2.approx.ftz.f32", [](Wide x) { return std::log2(x); }, 2, 3e38, Measure::relative, 0x1p-22,
         0x1p-23},
        {"sin.approx.f32", [](Wide x) { return std::sin(x); }, -pi, pi, Measure::absolute, std::exp2(-20.5),
         0x1p-24},
        {"sin.approx.ftz.f32", [](Wide x) { return std::sin(x); }, -pi, pi, Measure::absolute,
         std::exp2(-20.5), 0x1p-24},
        {"cos.approx.f32", [](Wide x) { return std::cos(x); }, -pi, pi, Measure::absolute, std::exp2(-20.5),
         0x1p-24},
        {"cos.approx.ftz.f32", [](Wide x) { return std::cos(x); }, -pi, pi, Measure::absolute,
         std::exp2(-20.5), 0x1p-24},
        {"tanh.approx.f32", [](Wide x) { return std::tanh(x); }, -12, 12, Measure::relative, 0x1p-11,
         0x1p-23},
        {"rcp.approx.f32", [](Wide x) { return 1 / x; }, 0x1p-126, 0x1p126, Measure::ulp, 1, 0.51},
        {"rcp.approx.ftz.f32", [](Wide x) { return 1 / x; }, 0x1p-126, 0x1p126, Measure::ulp, 1, 0.51, true},
        {"sqrt.approx.f32", [](Wide x) { return std::sqrt(x); }, 0x1p-149, 3e38, Measure::relative, 0x1p-22,
         0x1p-23},
        {"sqrt.approx.ftz.f32", [](Wide x) { return std::sqrt(x); }, 0x1p-126, 3e38, Measure::relative,
         0x1p-22, 0x1p-23},
        {"rsqrt.approx.f32", [](Wide x) { return 1 / std::sqrt(x); }, 0x1p-149, 3e38, Measure::relative,
         0x1p-22, std::exp2(-22.9)},
        {"rsqrt.approx.ftz.f32", [](Wide x) { return 1 / std::sqrt(x); }, 0x1p-126, 3e38, Measure::relative,
         0x1p-22, std::exp2(-22.9)},
    };
    for (const Function& function : functions) {
        const auto inputs = sample_range(function.low, function.high);
        const auto got = run_math(std::string(function.form) + " %f3, %f1;", inputs, inputs);
        double worst = 0;
        float at = 0;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Wide exact = function.exact(static_cast<Wide>(inputs[i]));
            if (function.flushes && is_subnormal(exact)) continue;
            const double error = error_of(function.measure, got[i], exact);
            if (error > worst) worst = error, at = inputs[i];
        }
        EXPECT_LE(worst, function.allowed) << function.form << " at " << at;
        EXPECT_LE(worst, function.engine) << function.form << " at " << at;
    }
}

TEST(approximate_math, of_division_is_within_two_ulps) {
    const auto divisors = sample_range(0x1p-126, 0x1p126);
    std::vector<float> dividends;
    for (std::size_t i = 0; i < divisors.size(); ++i) {  // quotients that are normal numbers
        const double wanted =
            std::exp2(static_cast<double>(i * 7919 % 200) - 100.0) * (1 + static_cast<double>(i) / 40000);
        const double value = std::clamp(wanted * double{divisors[i]}, 0x1p-125, 0x1p127);
        dividends.push_back(static_cast<float>(i % 3 == 0 ? -value : value));
    }
    for (const char* form : {"div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"}) {
        const auto got = run_math(std::string(form) + " %f3, %f1, %f2;", dividends, divisors);
        double worst = 0;
        for (std::size_t i = 0; i < divisors.size(); ++i) {
            const Wide exact = static_cast<Wide>(dividends[i]) / divisors[i];
            if (is_subnormal(exact) || std::fabs(exact) > 3.4e38L) continue;
            worst = std::max(worst, error_of(Measure::ulp, got[i], exact));
        }
        EXPECT_LE(worst, 0.51) << form << ": the ISA allows 2";
    }
}

TEST(approximate_math, of_doubles_by_their_upper_half_is_within_a_part_in_a_million) {
    const auto inputs = sample_range(0x1p-120, 0x1p120);
    for (const char* form : {"rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"}) {
        const bool root = std::string(form).starts_with("rsqrt");
        const auto got =
            run_math("cvt.f64.f32 %g1, %f1;\n" + std::string(form) + " %g2, %g1;\ncvt.rn.f32.f64 %f3, %g2;\n",
                     inputs, inputs);
        double worst = 0;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Wide x = inputs[i], exact = root ? 1 / std::sqrt(x) : 1 / x;
            worst = std::max(worst, error_of(Measure::relative, got[i], exact));
        }
        EXPECT_LE(worst, std::exp2(-19.9))
            << form << ": the upper 20 bits of the significand, and a rounding to f32";
    }
}

TEST(approximate_math, of_the_root_of_doubles_is_within_their_last_bit) {
    std::vector<double> inputs;
    for (std::size_t i = 0; i < samples; ++i)
        inputs.push_back(std::exp2(-1000.0 + 2000.0 * (static_cast<double>(i) + 0.37) / samples));
    KernelUnderTest kernel(
        "ld.param.u64 %d1, [out];\nld.param.u64 %d4, [a];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
        "mad.lo.u32 %r1, %r2, 256, %r1;\nmul.wide.u32 %d2, %r1, 8;\nadd.s64 %d1, %d1, %d2;\n"
        "add.s64 %d4, %d4, %d2;\nld.global.f64 %g1, [%d4];\nrsqrt.approx.f64 %g2, %g1;\n"
        "st.global.f64 [%d1], %g2;\nret;\n",
        ".param .u64 out, .param .u64 a");
    kernel.buffer(std::vector<double>(samples), "out");
    kernel.buffer(inputs, "a");
    kernel.geometry = {{samples / 256, 1, 1}, {256, 1, 1}, 0};
    EXPECT_TRUE(kernel.run().completed);
    const auto got = kernel.contents<double>();
    double worst = 0;
    for (std::size_t i = 0; i < samples; ++i) {
        const Wide exact = 1 / std::sqrt(static_cast<Wide>(inputs[i]));
        worst = std::max(worst, static_cast<double>(std::fabs(static_cast<Wide>(got[i]) - exact) / exact));
    }
    EXPECT_LE(worst, 0x1p-52) << "2^-22 are allowed";
}

struct HalfFormat {
    const char* type;
    int stored_bits, least_exponent;  // of a normal number
    Wide largest;
    Wide number(std::uint32_t bits) const {
        const int width = 15 - stored_bits;
        const int field = static_cast<int>(bits >> stored_bits & ((1u << width) - 1));
        const std::uint32_t fraction = bits & ((1u << stored_bits) - 1);
        const Wide sign = (bits & 0x8000) != 0 ? -1 : 1;
        if (field == (1 << width) - 1) return fraction != 0 ? Wide{NAN} : sign * HUGE_VALL;
        const std::uint32_t significand = field == 0 ? fraction : fraction | 1u << stored_bits;
        return sign * std::ldexp(static_cast<Wide>(significand),
                                 std::max(field, 1) - 1 + least_exponent - stored_bits);
    }
    /// The distance between the numbers of the format around x.
    Wide step(Wide x) const {
        int exponent = 0;
        std::frexp(x, &exponent);
        return std::ldexp(Wide{1}, std::max(exponent - 1, least_exponent) - stored_bits);
    }
};

/// The results of the instruction for every one of the 65 536 halves, and in both halves of a pair.
std::vector<std::uint32_t> of_every_half(const std::string& form, bool is_pair) {
    constexpr std::uint32_t all = 1 << 16;
    KernelUnderTest kernel(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
        "mad.lo.u32 %r1, %r2, 256, %r1;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d1, %d1, %d2;\n"
        "cvt.u16.u32 %h1, %r1;\nmov.b32 %r3, {%h1, %h1};\n" +
        (is_pair ? form + " %r4, %r3;\n" : form + " %h2, %h1;\nmov.b32 %r4, {%h2, %h2};\n") +
        "st.global.u32 [%d1], %r4;\nret;\n");
    kernel.buffer(std::vector<std::uint32_t>(all), "out");
    kernel.geometry = {{all / 256, 1, 1}, {256, 1, 1}, 0};
    EXPECT_TRUE(kernel.run().completed);
    return kernel.contents();
}

TEST(approximate_math, of_every_half_is_rounded_to_about_the_nearest) {
    const HalfFormat f16{"f16", 10, -14, 65504}, bf16{"bf16", 7, -126, 0x1.fep127L};
    struct Row {
        const char* form;
        const HalfFormat& format;
        Wide (*exact)(Wide);
        Measure measure;
        double allowed;  // by the ISA
        bool flushes;
    };
    const auto power = [](Wide x) { return std::exp2(x); };
    const auto tangent = [](Wide x) { return std::tanh(x); };
    const Row rows[] = {{"ex2.approx.", f16, power, Measure::relative, std::exp2(-9.9), false},
                        {"ex2.approx.ftz.", bf16, power, Measure::relative, 0x1p-7, true},
                        {"tanh.approx.", f16, tangent, Measure::absolute, std::exp2(-10.9), false},
                        {"tanh.approx.", bf16, tangent, Measure::absolute, 0x1p-8, false}};
    for (const Row& row : rows)
        for (const bool is_pair : {false, true}) {
            const std::string form = row.form + std::string(row.format.type) + (is_pair ? "x2" : "");
            const auto got = of_every_half(form, is_pair);
            const Wide least = std::ldexp(Wide{1}, row.format.least_exponent);
            double worst = 0, worst_steps = 0;
            for (std::uint32_t bits = 0; bits < got.size(); ++bits) {
                const Wide x = row.format.number(bits), exact = row.exact(x);
                ASSERT_EQ(got[bits] & 0xffff, got[bits] >> 16) << form;
                const Wide result = row.format.number(got[bits] & 0xffff);
                if (x != x) {
                    EXPECT_TRUE(result != result) << form;
                    continue;
                }
                // Beyond the format's range, and where .ftz cuts, it is infinity or zero.
                if (std::isinf(result) || exact > row.format.largest) {
                    EXPECT_GE(exact, row.format.largest) << form << " of " << double(x);
                    continue;
                }
                if (row.flushes && std::fabs(exact) < least) {
                    EXPECT_LE(std::fabs(result), least) << form << " of " << double(x);
                    continue;
                }
                const Wide apart = std::fabs(result - exact);
                worst_steps = std::max(worst_steps, double(apart / row.format.step(exact)));
                // A subnormal result has fewer bits than a relative bound would ask for.
                if (row.measure == Measure::relative && exact < least) continue;
                worst = std::max(worst, double(row.measure == Measure::relative ? apart / exact : apart));
            }
            EXPECT_LE(worst, row.allowed) << form;
            EXPECT_LE(worst_steps, 0.51) << form;
        }
}

}  // namespace
}  // namespace warplens::simt
