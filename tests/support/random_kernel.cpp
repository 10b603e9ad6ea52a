#include "tests/support/random_kernel.h"

#include <fmt/format.h>

#include <array>
#include <random>
#include <vector>

namespace warplens {

namespace {

/// Expressions of type unsigned; {0} to {2} are expressions of type unsigned.
using Forms = std::vector<std::string_view>;

const std::array<Forms, 5> forms{
    Forms{"({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} / ({1} | 1u))", "({0} % ({1} | 1u))",
          "min({0}, {1})", "max({0}, {1})", "unsigned(min(int({0}), int({1})))",
          "unsigned(int({0}) / int({1} & 0xffffu | 3u))", "__umulhi({0}, {1})",
          "unsigned(__mulhi(int({0}), int({1})))", "unsigned(__mul24(int({0}), int({1})))",
          "__usad({0}, {1}, {2})", "({0} * {1} + {2})", "unsigned(abs(int({0})))", "unsigned(int({0}) % 37)"},
    Forms{"({0} & {1})", "({0} | {1})", "({0} ^ {1})", "(~{0})", "({0} << ({1} & 31u))",
          "({0} >> ({1} & 31u))", "unsigned(int({0}) >> ({1} & 31u))", "unsigned(__popc({0}))",
          "unsigned(__clz(int({0})))", "unsigned(__ffs(int({0})))", "__brev({0})",
          "__byte_perm({0}, {1}, {2} & 0x7777u)", "__funnelshift_l({0}, {1}, {2})",
          "__funnelshift_rc({0}, {1}, {2})", "(({0} & {1}) | (~{0} & {2}))", "({0} ^ {1} ^ {2})",
          "extract({0}, {1}, {2})", "insert({0}, {1}, {2})", "first_bit({0})"},
    Forms{"unsigned((unsigned char)({0}))", "unsigned((signed char)({0}))", "unsigned((short)({0}))",
          "unsigned((unsigned short)({0} * {1}))", "unsigned(short(short({0}) * short({1})))",
          "unsigned((unsigned short)({0}) / (unsigned short)({1} | 1u))",
          "unsigned(__dp4a(int({0}), int({1}), int({2})))",
          "__dp4a(unsigned({0}), unsigned({1}), unsigned({2}))", "unsigned(short(short({0}) >> ({1} & 15u)))",
          "unsigned(char({0}) < char({1}))"},
    Forms{"unsigned(((unsigned long long){0} * {1}) >> 16)",
          "unsigned(((unsigned long long){0} << 32 | {1}) / ({2} | 1u))",
          "unsigned(((long long)int({0}) * int({1})) >> ({2} & 63u))",
          "unsigned(__umul64hi((unsigned long long){0} << 20, {1}))",
          "unsigned(__popcll((unsigned long long){0} * {1}))", "unsigned(__clzll((long long){0} * {1}))",
          "unsigned(min((long long)int({0}), (long long){1}))",
          "unsigned(__brevll((unsigned long long){0} << 7 | {1}) >> 9)"},
    Forms{"bits(real({0}) + real({1}))", "bits(real({0}) * real({1}))",
          "bits(fmaf(real({0}), real({1}), real({2})))", "bits(real({0}) / real({1} | 1u))",
          "bits(sqrtf(real({0})))", "bits(fminf(real({0}), -real({1})))",
          "bits(fabsf(real({0}) - real({1})))", "bits(__fadd_rz(real({0}), real({1})))",
          "bits(__fmul_ru(real({0}), real({1})))", "unsigned(__float2int_rz(real({0}) * 0.125f))",
          "unsigned(real({0}) < real({1}))", "bits(floorf(real({0}) * 0.01f))",
          "unsigned(__double2ll_rz(double({0}) * 1.25 / double({1} | 1u)) & 0xffffffffll)",
          "bits(float(fma(double({0}), 0.5, double({1}))))", "bits(rintf(real({0}) * 0.3f))",
          "half_sum({0}, {1})"}};

constexpr std::string_view prelude = R"(
__device__ unsigned scratch[8 * 160];
__device__ unsigned table[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
__constant__ unsigned fixed[16] = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5};

__device__ __forceinline__ float real(unsigned x) { return float(x & 0xffffu) * 0.37f - 5000.0f; }
__device__ __forceinline__ unsigned bits(float x) { return __float_as_uint(x); }
__device__ __forceinline__ unsigned extract(unsigned x, unsigned at, unsigned count) {
    unsigned out;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(out) : "r"(x), "r"(at & 31u), "r"(count & 31u));
    return out;
}
__device__ __forceinline__ unsigned insert(unsigned x, unsigned into, unsigned at) {
    unsigned out;
    asm("bfi.b32 %0, %1, %2, %3, 9;" : "=r"(out) : "r"(x), "r"(into), "r"(at & 31u));
    return out;
}
__device__ __forceinline__ unsigned first_bit(unsigned x) {
    unsigned out;
    asm("bfind.u32 %0, %1;" : "=r"(out) : "r"(x));
    return out;
}
__device__ __forceinline__ unsigned half_sum(unsigned x, unsigned y) {
    unsigned out;
    asm("{ .reg .f16 a, b; .reg .f32 u, v; cvt.rn.f32.u32 u, %1; cvt.rn.f32.u32 v, %2;\n"
        "cvt.rn.f16.f32 a, u; cvt.rn.f16.f32 b, v; add.rn.f16 a, a, b; cvt.f32.f16 u, a; mov.b32 %0, u; }"
        : "=r"(out) : "r"(x & 0xfffu), "r"(y & 0xfffu));
    return out;
}
struct Generator {
    unsigned state[5];
};
__device__ __noinline__ unsigned draw(Generator* generator) {
    unsigned x = generator->state[4];
    const unsigned y = generator->state[0];
    for (int i = 4; i > 0; --i) generator->state[i] = generator->state[i - 1];
    x ^= x >> 2;
    x ^= x << 1;
    x ^= y ^ y << 4;
    generator->state[0] = x;
    return x + y;
}
__device__ __noinline__ unsigned draw_below(Generator* generator, unsigned limit) {
    unsigned x = draw(generator) & 15u;
    for (int tries = 0; x >= limit && tries < 6; ++tries) x = draw(generator) & 15u;
    return x;
}
__device__ __noinline__ void stir(unsigned* values, Generator* generator) {
    for (int i = 7; i > 0; --i) {
        const unsigned other = draw(generator) % (i + 1), kept = values[i];
        values[i] = values[other];
        values[other] = kept;
    }
}
)";

/// At most three calls deep.
constexpr const char* recursive_walk =
    R"(__device__ __noinline__ unsigned walk(unsigned depth, unsigned x) {
    if (depth == 0 || (x & 7u) == 3) return x;
    if ((x & 1u) != 0) return walk(depth - 1, x * 3 + 1) ^ depth;
    return walk(depth - 1, x >> 1) + 1;
}
)";

/// The same values without recursion: a function for each depth.
constexpr const char* walk_in_a_row =
    R"(__device__ __noinline__ unsigned walk_1(unsigned x) {
    if ((x & 7u) == 3) return x;
    return (x & 1u) != 0 ? (x * 3 + 1) ^ 1u : (x >> 1) + 1;
}
__device__ __noinline__ unsigned walk_2(unsigned x) {
    if ((x & 7u) == 3) return x;
    return (x & 1u) != 0 ? walk_1(x * 3 + 1) ^ 2u : walk_1(x >> 1) + 1;
}
__device__ __noinline__ unsigned walk_3(unsigned x) {
    if ((x & 7u) == 3) return x;
    return (x & 1u) != 0 ? walk_2(x * 3 + 1) ^ 3u : walk_2(x >> 1) + 1;
}
__device__ __noinline__ unsigned walk(unsigned depth, unsigned x) {
    return depth == 0 ? x : depth == 1 ? walk_1(x) : depth == 2 ? walk_2(x) : walk_3(x);
}
)";

class Writer {
  public:
    explicit Writer(std::uint64_t seed) : random_(seed), group_(form_group(seed)) {}

    std::string write(std::uint64_t seed, Recursion recursion) {
        threads_ = 32 * (1 + below(5));
        budget_ = 10 + below(25);
        statements(1, true, 0);
        // Some threads leave early: no code after it waits for a warp.
        if (below(3) == 0)
            line(1, "if ({}) {{\n        out[index] = {};\n        return;\n    }}", condition(), variable());
        budget_ = 3 + below(8);
        statements(1, false, 0);
        return fmt::format(
            "/*\n[kernel]\ntitle = \"Random kernel {0}\"\nsubject = \"Random\"\nlesson = "
            "\"{1}\"\n\n[buffers]\n"
            "in = {{ type = \"u32\", length = \"{2}\", fill = \"random\", below = \"1000000\", seed = "
            "\"{3}\" }}\n"
            "out = {{ type = \"u32\", length = \"{2}\", fill = \"zero\" }}\n"
            "tally = {{ type = \"u32\", length = \"64\", fill = \"zero\" }}\n\n"
            "[launch]\narguments = [\"in\", \"out\", \"tally\"]\ngrid = [\"8\"]\nblock = [\"{4}\"]\n"
            "dynamic_shared_bytes = \"0\"\n*/\n{5}\n"
            "extern \"C\" __global__ void random_{0}(const unsigned* in, unsigned* out, unsigned* tally) {{\n"
            "    __shared__ unsigned slots[{4}];\n    __shared__ unsigned bins[32];\n"
            "    const unsigned thread = threadIdx.x, index = blockIdx.x * {4} + thread;\n"
            "    if (thread < 32) bins[thread] = 0;\n    slots[thread] = index;\n    __syncthreads();\n"
            "    unsigned a = in[index], b = index * 2654435761u, c = thread, d = in[(index * 7 + 3) % "
            "{2}];\n"
            "    unsigned own[8] = {{a, b, c, d, a ^ b, b + c, 17, 5}};\n"
            "    Generator generator = {{{{a | 1, b, c, d, 9}}}};\n"
            "{6}"
            "    scratch[index] = c;\n"
            "    out[index] = a ^ b * 3 ^ c * 5 ^ d * 7 ^ own[a & 7] ^ generator.state[b % 5];\n}}\n",
            seed, to_string(group_), 8 * threads_, 1 + seed % 1000003, threads_,
            std::string(prelude) + (recursion == Recursion::kept ? recursive_walk : walk_in_a_row), body_);
    }

  private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    bool prefers(FormGroup group) {
        return group_ == group ? below(2) == 0 : group_ == FormGroup::mixed && below(4) == 0;
    }

    template <class... Parts>
    void line(int depth, fmt::format_string<Parts...> text, Parts&&... parts) {
        body_ += std::string(static_cast<std::size_t>(4 * depth), ' ') +
                 fmt::format(text, std::forward<Parts>(parts)...) + "\n";
    }

    std::string variable() { return std::string(1, static_cast<char>('a' + below(4))); }

    std::string leaf() {
        switch (below(8)) {
            case 0:
                return fmt::format("{}u", below(3) == 0 ? static_cast<std::uint32_t>(random_()) : below(40));
            case 1:
                return "thread";
            case 2:
                return prefers(FormGroup::memory) ? load() : "index";
            default:
                return variable();
        }
    }

    std::string load() {
        switch (below(8)) {
            case 0:
                return fmt::format("in[{} % {}]", variable(), 8 * threads_);
            case 1:
                return fmt::format("table[{} & 63]", variable());
            case 2:
                return fmt::format("fixed[{} & 15]", variable());
            case 3:
                return fmt::format("own[{} & 7]", variable());
            case 4:
                return fmt::format("((const unsigned char*)in)[{} % {}]", variable(), 32 * threads_);
            case 5:
                return fmt::format("((const unsigned short*)in)[{} % {}]", variable(), 16 * threads_);
            case 6:
                return fmt::format("((const uint4*)in)[{} % {}].{}", variable(), 2 * threads_,
                                   "xyzw"[below(4)]);
            default:
                return fmt::format("(({} & 1) != 0 ? table : own)[{} & 7]", variable(), variable());
        }
    }

    std::string expression(int depth = 2) {
        if (depth == 0 || below(5) == 0) return leaf();
        if (prefers(FormGroup::memory)) return load();
        std::size_t from = static_cast<std::size_t>(group_);
        if (from >= forms.size() || below(3) == 0) from = below(static_cast<std::uint32_t>(forms.size()));
        const Forms& all = forms[from];
        const std::string_view form = all[below(static_cast<std::uint32_t>(all.size()))];
        const std::string x = expression(depth - 1), y = expression(depth - 1), z = leaf();
        return fmt::format(fmt::runtime(form), x, y, z);
    }

    std::string condition() {
        switch (below(5)) {
            case 0:
                return fmt::format("(({}) & {}) == 0", expression(1), 1u << below(4));
            case 1:
                return fmt::format("thread % {} < {}", 2 + below(31), 1 + below(8));
            case 2:
                return fmt::format("int({}) < int({})", variable(), expression(1));
            case 3:
                return fmt::format("({}) % {} == {}", variable(), 3 + below(6), below(3));
            default:
                return fmt::format("{} > {}", variable(), variable());
        }
    }

    /// Whole: all threads of the block are here, so that barriers and warp-wide operations may stand here.
    void statements(int depth, bool whole, int loops) {
        const std::uint32_t count = 1 + below(4);
        for (std::uint32_t i = 0; i < count || (depth == 1 && budget_ > 0); ++i)
            statement(depth, whole, loops);
    }

    void block(int depth, bool whole, int loops) {
        statements(depth + 1, whole, loops);
        line(depth, "}}");
    }

    void statement(int depth, bool whole, int loops) {
        if (budget_ > 0) --budget_;
        const bool deep = depth >= 5 || budget_ == 0;
        const std::uint32_t kind = below(prefers(FormGroup::control) ? 8 : 16);
        if (!deep && kind < 3) return branch(depth, loops);
        if (!deep && kind < 6 && loops < 3) return loop(depth, whole, loops);
        if (!deep && kind == 6) return choose(depth, loops);
        if (kind == 7) return call(depth);
        if (whole && (kind < 11 || prefers(FormGroup::warp))) return together(depth);
        if (kind == 11) return line(depth, "atomicAdd(&tally[({}) & 63], {});", variable(), expression(1));
        if (kind == 12) return line(depth, "atomicMax(&bins[({}) & 31], {});", variable(), expression(1));
        if (kind == 13) return line(depth, "own[({}) & 7] = {};", variable(), expression());
        line(depth, "{} = {};", variable(), expression());
    }

    void branch(int depth, int loops) {
        line(depth, "if ({}) {{", condition());
        statements(depth + 1, false, loops);
        if (below(2) == 0) {
            line(depth, "}} else {{");
            statements(depth + 1, false, loops);
        }
        line(depth, "}}");
    }

    void loop(int depth, bool whole, int loops) {
        const std::string counter = fmt::format("i{}", counters_++);
        if (below(2) == 0) line(depth, "#pragma unroll 1");
        if (whole && below(2) == 0) {
            line(depth, "for (int {0} = 0; {0} < {1}; ++{0}) {{", counter, 1 + below(4));
            return block(depth, true, loops + 1);
        }
        if (below(3) == 0) {
            line(depth, "for (unsigned {0} = 0, to = ({1}) & {2}; {0} < to; ++{0}) {{", counter,
                 expression(1), 1 + below(7));
        } else {
            line(depth, "for (unsigned {0} = 0; {0} < {1} && ({2}); ++{0}) {{", counter, 2 + below(6),
                 condition());
        }
        if (below(2) == 0) line(depth + 1, "if ({}) {};", condition(), below(2) == 0 ? "break" : "continue");
        statements(depth + 1, false, loops + 1);
        if (below(3) == 0) line(depth + 1, "if ({}) break;", condition());
        line(depth, "}}");
    }

    void choose(int depth, int loops) {
        line(depth, "switch (({}) % {}) {{", variable(), 4 + below(4));
        for (int label = 0; label < 3; ++label) {
            line(depth + 1, "case {}: {{", label);
            statements(depth + 2, false, loops);
            line(depth + 1, "}}");
            if (below(4) != 0) line(depth + 1, "break;");
        }
        line(depth + 1, "default: {} = {};", variable(), expression(1));
        line(depth, "}}");
    }

    void call(int depth) {
        switch (below(6)) {
            case 0:
                return line(depth, "{} ^= draw(&generator);", variable());
            case 3:
                return line(depth, "if ({}) stir(own, &generator);", condition());
            case 4:
                return line(depth, "stir(own, &generator);");
            case 1:
                return line(depth, "{} += draw_below(&generator, ({}) & 15);", variable(), variable());
            case 2:
                return line(depth, "{} = walk(({}) & 3, {});", variable(), variable(), expression(1));
            default:
                return line(
                    depth, "for (int tries = 0; tries < 9 && draw_below(&generator, 12) < {}; ++tries) ++{};",
                    1 + below(7), variable());
        }
    }

    void together(int depth) {
        const std::string to = variable(), from = variable();
        switch (below(10)) {
            case 0:
                return line(depth, "{} += __shfl_xor_sync(0xffffffffu, {}, {});", to, from, 1 + below(31));
            case 1:
                return line(depth, "{} ^= __shfl_sync(0xffffffffu, {}, ({}) & 31, {});", to, from, variable(),
                            32 >> below(3));
            case 2:
                return line(depth, "{} += __shfl_{}_sync(0xffffffffu, {}, {});", to,
                            below(2) == 0 ? "up" : "down", from, 1 + below(16));
            case 3:
                return line(depth, "{} ^= __ballot_sync(0xffffffffu, {});", to, condition());
            case 4:
                return line(depth, "if (__{}_sync(0xffffffffu, {})) ++{};", below(2) == 0 ? "any" : "all",
                            condition(), to);
            case 5:
                return line(depth, "{} += __match_any_sync(0xffffffffu, {} & 3);", to, from);
            case 6:
                return line(depth, "{} ^= __reduce_{}_sync(0xffffffffu, {});", to,
                            below(2) == 0 ? "add" : "xor", from);
            case 7:
                return line(depth, "__syncwarp();");
            default:
                break;
        }
        line(depth, "__syncthreads();");
        line(depth, "slots[(thread + {}) % {}] = {};", below(40), threads_, from);
        line(depth, "__syncthreads();");
        line(depth, "{} += slots[({}) % {}];", to, variable(), threads_);
        line(depth, "__syncthreads();");
    }

    std::mt19937_64 random_;
    FormGroup group_;
    std::uint32_t threads_ = 32, budget_ = 0, counters_ = 0;
    std::string body_;
};

}  // namespace

std::string_view to_string(FormGroup group) {
    constexpr std::array<std::string_view, form_groups> names{"integer", "bits", "narrow",  "wide", "real",
                                                              "memory",  "warp", "control", "mixed"};
    return names[static_cast<std::size_t>(group)];
}

FormGroup form_group(std::uint64_t seed) { return static_cast<FormGroup>(seed % form_groups); }

std::string random_kernel(std::uint64_t seed, Recursion recursion) {
    return Writer(seed).write(seed, recursion);
}

}  // namespace warplens
