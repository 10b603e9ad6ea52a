"""Floating-point forms of add … copysign; files that hold integers too take them from float_cases()."""
import expected as x
from case_file import Case, op
from definitions.operands import float_edges, float_pairs, without_nan

FORMATS = {"f16": x.F16, "bf16": x.BF16, "f32": x.F32, "f64": x.F64}
EXACT = {"add": x.add, "sub": x.sub, "mul": x.mul, "fma": x.fma, "mad": x.fma, "div": x.div, "rcp": x.rcp,
         "sqrt": x.sqrt}
ROUNDINGS = ["rn", "rz", "rm", "rp"]

# Sums and products with bits to round away: ties, above and below a tie, cancellation, near the subnormals.
NUMBERS = {
    "f32": [(1, 2.0**-24), (1, 3 * 2.0**-25), (1 + 2.0**-23, 2.0**-24), (-1, -(2.0**-24)), (1, -(2.0**-25)),
            (1.1, -1.1), (3.3, 7.7), (1e30, 1e30), (1e-30, 1e-10), (1.5e-39, 3.0), (2.0**-126, -(2.0**-127)),
            (0.1, 0.2), (16777216.0, 1.0), (16777216.0, 3.0), (2.0**-75, 2.0**-75), (-(2.0**-75), 2.0**-75),
            (0.75, 0.125), (0.75, 0.5), (1 / 3, 3), (2.0**-126, 0.75), (1 + 2.0**-12, 1 + 2.0**-12)],
    "f64": [(1, 2.0**-53), (1, 3 * 2.0**-54), (1 + 2.0**-52, 2.0**-53), (-1, -(2.0**-53)), (1, -(2.0**-54)),
            (1.1, -1.1), (3.3, 7.7), (1e300, 1e300), (1e-300, 1e-10), (3e-310, 3.0), (0.1, 0.2),
            (2.0**-538, 2.0**-538), (-(2.0**-538), 2.0**-538), (1 / 3, 3), (2.0**-1022, 0.75)],
    "f16": [(1, 2.0**-11), (1, 3 * 2.0**-12), (1 + 2.0**-10, 2.0**-11), (-1, -(2.0**-11)), (1.1, -1.1), (3.3, 7.7),
            (300, 300), (2048, 1), (2048, 3), (2.0**-13, 2.0**-12), (0.1, 0.2), (0.75, 0.5), (65504, 16), (65504, 8)],
    "bf16": [(1, 2.0**-8), (1, 3 * 2.0**-9), (1 + 2.0**-7, 2.0**-8), (-1, -(2.0**-8)), (1.1, -1.1), (3.3, 7.7),
             (1e30, 1e30), (256, 1), (256, 3), (1e-30, 1e-10), (0.1, 0.2), (0.75, 0.5)],
}
# Where one rounding of the whole differs from two.
TRIPLES = {
    "f32": [(1 + 2.0**-12, 1 + 2.0**-12, -1), (1 + 2.0**-12, 1 - 2.0**-12, -1), (0.1, 10, -1), (3, 1 / 3, -1),
            (2.0**-100, 2.0**-100, 1), (2.0**-100, -(2.0**-100), 1), (2.0**-126, 0.5, 2.0**-149), (1e20, 1e20, -1e38),
            (2.0**64, 2.0**64, -(2.0**127)), (0.5, 0.5, 0.25), (0.5, 0.5, 1), (-1, 1, 0.5), (1.5e-39, 2, 0)],
    "f64": [(1 + 2.0**-27, 1 + 2.0**-27, -1), (1 + 2.0**-27, 1 - 2.0**-27, -1), (0.1, 10, -1), (3, 1 / 3, -1),
            (2.0**-600, 2.0**-600, 1), (2.0**-600, -(2.0**-600), 1), (1e200, 1e200, -1e300)],
    "f16": [(1 + 2.0**-6, 1 + 2.0**-6, -1), (0.1, 10, -1), (3, 1 / 3, -1), (2.0**-14, 2.0**-11, 1), (300, 300, -65504),
            (2.0**-14, 0.5, 2.0**-24), (1 + 2.0**-10, 2.0**-11, 1), (0.5, 0.5, 1)],
    "bf16": [(1 + 2.0**-4, 1 + 2.0**-4, -1), (0.1, 10, -1), (3, 1 / 3, -1), (1e20, 1e20, -1e38),
             (1 + 2.0**-7, 2.0**-8, 1)],
}


def rows_of(t, operands):
    f = FORMATS[t]
    if operands == 1:
        firsts = [1.5, 2, 3, 4, 10, 0.1, 1e-3, 0.25, 1 + 2.0**-7]
        return [(a,) for a in float_edges(f)] + [(x.of(f, a),) for a in firsts]
    if operands == 2:
        return float_pairs(f, NUMBERS[t])
    corners = [0, f.sign, f.one, f.one | f.sign, f.inf, f.inf | f.sign, f.inf | 1 << (f.mantissa - 1)]
    few, addends = [0, f.one, f.inf], [0, f.sign, f.one, f.inf | f.sign, f.inf | 1]
    rows = [(a, b, c) for a in corners for b in few for c in addends]
    given = [tuple(x.of(f, a) for a in triple) for triple in TRIPLES[t]]
    return rows + given + [(f.max, f.max, f.max | f.sign), (3, 3, 3), (3, f.one, 3 | f.sign)]


def names(operands):
    return ", ".join(["%a", "%b", "%c"][:operands])


def arithmetic(opcode, t, suffixes, operands):
    """One case with a result a suffix: ".rz", ".ftz", ".rn.ftz.sat" … ; "" rounds to nearest."""
    f = FORMATS[t]
    rows = rows_of(t, operands)
    outs = []
    for suffix in suffixes:
        words = suffix.split(".")
        mode = next((w for w in words if w in ROUNDINGS), "rn")
        how = {"mode": mode, "ftz": "ftz" in words, "sat": "sat" in words}
        outs.append(op(t, f"{opcode}{suffix}.{t} %d, {names(operands)};",
                       lambda *v, how=how: EXACT[opcode](f, *v, **how)))
    return Case(f"{opcode}_{t}", [t] * operands, rows, outs)


def pairs_of(opcode, t, operands, suffix=""):
    """f16x2 and bf16x2: each half is its own operation; rows are the scalar ones, two by two."""
    f = FORMATS[t]
    rows = rows_of(t, operands)
    packed = [tuple(low | high << 16 for low, high in zip(row, other)) for row, other in zip(rows, rows[1:] + rows[:1])]

    def run(*v):
        halves = [EXACT[opcode](f, *(a >> shift & 0xFFFF for a in v)) for shift in (0, 16)]
        return halves[0] | halves[1] << 16

    word = t + "x2"
    return Case(f"{opcode}_{word}", [word] * operands, packed[::3],
                [op(word, f"{opcode}{suffix}.{word} %d, {names(operands)};", run)])


F32_SUFFIXES = ["", ".rn", ".rz", ".rm", ".rp", ".ftz", ".rz.ftz", ".sat", ".ftz.sat"]
F64_SUFFIXES = ["", ".rn", ".rz", ".rm", ".rp"]


def three_of_each(opcode):
    """add, sub and mul."""
    cases = [arithmetic(opcode, "f32", F32_SUFFIXES, 2), arithmetic(opcode, "f64", F64_SUFFIXES, 2),
             arithmetic(opcode, "f16", ["", ".rn", ".ftz", ".sat"], 2), pairs_of(opcode, "f16", 2),
             arithmetic(opcode, "bf16", ["", ".rn"], 2), pairs_of(opcode, "bf16", 2)]
    return cases + float_immediates(opcode)


def float_immediates(opcode):
    f, d = x.F32, x.F64
    rows = [(a, b) for a, b in [(x.of(f, 1), x.of(d, 1)), (x.of(f, 0.1), x.of(d, 0.1)), (f.inf, d.inf), (0, 0)]]
    outs = [
        op("f32", f"{opcode}.f32 %d, %a, 0fC0490FDB;", lambda a, b: EXACT[opcode](f, a, 0xC0490FDB)),
        op("f64", f"{opcode}.f64 %d, %b, 0d400921FB54442D18;", lambda a, b: EXACT[opcode](d, b, 0x400921FB54442D18)),
        op("f32", f"{opcode}.f32 %d, %a, 1.5;", lambda a, b: EXACT[opcode](f, a, x.of(f, 1.5))),
    ]
    return [Case(f"{opcode}_float_immediate", ["f32", "f64"], rows, outs)]


def fma():
    cases = [
        arithmetic("fma", "f32", [".rn", ".rz", ".rm", ".rp", ".rn.ftz", ".rn.sat", ".rz.ftz.sat"], 3),
        arithmetic("fma", "f64", [".rn", ".rz", ".rm", ".rp"], 3),
        arithmetic("fma", "f16", [".rn", ".rn.ftz", ".rn.sat"], 3), pairs_of("fma", "f16", 3, ".rn"),
        arithmetic("fma", "bf16", [".rn"], 3), pairs_of("fma", "bf16", 3, ".rn"),
    ]
    for t in ("f16", "bf16"):
        f = FORMATS[t]

        def relu(a, b, c, f=f):
            bits = x.fma(f, a, b, c)
            return 0 if bits & f.sign else bits
        cases.append(Case(f"fma_relu_{t}", [t] * 3, rows_of(t, 3), [op(t, f"fma.rn.relu.{t} %d, %a, %b, %c;", relu)]))
    return cases


def mad():
    return [arithmetic("mad", "f32", [".rn", ".rz", ".rm", ".rp"], 3), arithmetic("mad", "f64", [".rn", ".rm"], 3)]


def div():
    cases = [arithmetic("div", "f32", [".rn", ".rz", ".rm", ".rp", ".rn.ftz"], 2),
             arithmetic("div", "f64", [".rn", ".rz", ".rm", ".rp"], 2)]
    f = x.F32
    # Divisors inside [2^-126, 2^126], where the error is bounded; dividends and quotients normal.
    usual = [(1, 3), (2, 3), (1, 10), (7, 7), (-22, 7), (1e20, 3e-10), (1e-20, 3e10), (0, 5), (-0.0, 5)]
    rows = [(x.of(f, a), x.of(f, b)) for a, b in usual]
    rows += [(f.one, f.inf), (f.inf, f.one), (f.inf | f.sign, f.one), (f.inf, f.inf), (0, 0), (f.one, 0), (f.one, f.sign)]
    outs = [op("f32", f"div.{words}.f32 %d, %a, %b;", lambda a, b: x.div(f, a, b), "2 ulp")
            for words in ("approx", "approx.ftz", "full", "full.ftz")]
    cases.append(Case("div_approximate_f32", ["f32", "f32"], rows, outs))
    beyond = [(f.one, x.of(f, 2.0**127)), (x.of(f, 2.0**100), f.max)]
    cases.append(Case("div_approximate_by_more_than_2_to_126", ["f32", "f32"], beyond + [(f.inf, f.max)], [
        op("f32", "div.approx.f32 %d, %a, %b;", lambda a, b: f.nan if a == f.inf else 0)]))
    return cases


def extrema(opcode):
    largest = opcode == "max"
    cases = []
    for t, suffixes in (("f32", ["", ".ftz", ".NaN", ".ftz.NaN"]), ("f64", [""]),
                        ("f16", ["", ".ftz", ".NaN"]), ("bf16", ["", ".NaN"])):
        f = FORMATS[t]
        outs = [op(t, f"{opcode}{s}.{t} %d, %a, %b;",
                   lambda a, b, s=s, f=f: x.extremum(f, a, b, largest, ".ftz" in s, ".NaN" in s)) for s in suffixes]
        rows = float_pairs(f, [(1.5, 2.5), (-1.5, -2.5), (3, -3)])
        cases.append(Case(f"{opcode}_{t}", [t, t], rows, outs))
        if f.bits == 16:
            def halves(a, b, f=f):
                both = [x.extremum(f, a >> s & 0xFFFF, b >> s & 0xFFFF, largest) for s in (0, 16)]
                return both[0] | both[1] << 16
            packed = [(a | b << 16, b | a << 16) for a, b in rows]
            cases.append(Case(f"{opcode}_{t}x2", [t + "x2"] * 2, packed[::3],
                              [op(t + "x2", f"{opcode}.{t}x2 %d, %a, %b;", halves)]))
    f = x.F32
    rows = without_nan(f, float_pairs(f, [(1.5, -2.5), (-1.5, -2.5), (3, 1)]))

    def by_magnitude(a, b):
        return x.extremum(f, a & ~f.sign, b & ~f.sign, largest) | ((a ^ b) & f.sign)
    cases.append(Case(f"{opcode}_xorsign_abs_f32", ["f32", "f32"], rows,
                      [op("f32", f"{opcode}.xorsign.abs.f32 %d, %a, %b;", by_magnitude)]))
    return cases + by_magnitudes(opcode)


def by_magnitudes(opcode):
    """.xorsign.abs with .NaN, with .ftz and of halves; NaNs and their signs are left open."""
    cases = []
    for t, suffixes in (("f32", [".NaN.xorsign.abs", ".ftz.xorsign.abs", ".ftz.NaN.xorsign.abs"]),
                        ("f16", [".xorsign.abs", ".ftz.NaN.xorsign.abs"]), ("bf16", [".xorsign.abs", ".NaN.xorsign.abs"])):
        f = FORMATS[t]

        def run(a, b, s, f=f):
            bits = x.extremum(f, a & ~f.sign, b & ~f.sign, opcode == "max", ".ftz" in s, ".NaN" in s)
            return bits | (a ^ b) & f.sign
        rows = without_nan(f, float_pairs(f, [(1.5, -2.5), (-1.5, -2.5), (3, 1)]))
        cases.append(Case(f"{opcode}_by_magnitude_{t}", [t, t], rows, [
            op(t, f"{opcode}{s}.{t} %d, %a, %b;", lambda a, b, s=s, run=run: run(a, b, s)) for s in suffixes]))
        if f.bits == 16:
            packed = [(a | b << 16, b | a << 16) for a, b in rows][::3]
            both = lambda a, b, run=run: run(a & 0xFFFF, b & 0xFFFF, "") | run(a >> 16, b >> 16, "") << 16
            cases.append(Case(f"{opcode}_by_magnitude_{t}x2", [t + "x2"] * 2, packed, [
                op(t + "x2", f"{opcode}.xorsign.abs.{t}x2 %d, %a, %b;", both)]))
    return cases


def signs(opcode):
    """neg and abs; what they make of a NaN is left open but for f16 and bf16."""
    cases = []
    for t, suffixes in (("f32", ["", ".ftz"]), ("f64", [""]), ("f16", ["", ".ftz"]), ("bf16", [""])):
        f = FORMATS[t]
        change = (lambda a, f=f: a ^ f.sign) if opcode == "neg" else (lambda a, f=f: a & ~f.sign)
        outs = [op(t, f"{opcode}{s}.{t} %d, %a;",
                   lambda a, s=s, f=f, g=change: g(x.flush(f, a) if s else a)) for s in suffixes]
        rows = without_nan(f, rows_of(t, 1))
        cases.append(Case(f"{opcode}_{t}", [t], rows, outs))
        if f.bits == 16:
            both = lambda a, g=change: g(a & 0xFFFF) | g(a >> 16) << 16
            cases.append(Case(f"{opcode}_{t}x2", [t + "x2"], [(a | b << 16,) for (a,), (b,) in zip(rows, rows[3:])],
                              [op(t + "x2", f"{opcode}.{t}x2 %d, %a;", both)]))
    return cases


def float_cases(opcode):
    if opcode in ("add", "sub", "mul"):
        return three_of_each(opcode)
    if opcode in ("min", "max"):
        return extrema(opcode)
    return {"mad": mad, "div": div, "neg": lambda: signs("neg"), "abs": lambda: signs("abs")}[opcode]()


def copysign():
    cases = []
    for t in ("f32", "f64"):
        f = FORMATS[t]
        rows = float_pairs(f, [(-1.5, 2.5), (1.5, -2.5)])
        cases.append(Case(f"copysign_{t}", [t, t], rows, [
            op(t, f"copysign.{t} %d, %a, %b;", lambda a, b, f=f: (a & f.sign) | (b & ~f.sign))]))
    return cases


def testp():
    cases = []
    for t in ("f32", "f64"):
        f = FORMATS[t]
        tests = {
            "finite": lambda a, f=f: x.magnitude(f, a) < f.inf,
            "infinite": lambda a, f=f: x.is_inf(f, a),
            "number": lambda a, f=f: not x.is_nan(f, a),
            "notanumber": lambda a, f=f: x.is_nan(f, a),
            # "testp", Description: zeros of either sign count as normal.
            "normal": lambda a, f=f: x.is_zero(f, a) or 1 << f.mantissa <= x.magnitude(f, a) < f.inf,
            "subnormal": lambda a, f=f: x.is_subnormal(f, a),
        }
        outs = [op("u32", f"testp.{word}.{t} %p, %a;\nselp.u32 %d, 1, 0, %p;", lambda a, g=g: int(g(a)))
                for word, g in tests.items()]
        cases.append(Case(f"testp_{t}", [t], [(a,) for a in float_edges(f)], outs))
    return cases


FILES = {
    "fma": ("fma: one rounding of the whole; every rounding, .ftz, .sat, .relu, halves", fma),
    "copysign": ("copysign: the first operand's sign, the second's magnitude", copysign),
    "testp": ("testp: classes of floating-point values", testp),
}
