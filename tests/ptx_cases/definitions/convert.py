"""cvt between integers and floating-point formats."""
import expected as x
import integers as n
from case_file import Case, op
from definitions.float_arithmetic import FORMATS
from definitions.operands import edges, float_edges, without_nan

INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
ROUNDINGS = ["rn", "rz", "rm", "rp"]
INTEGER_ROUNDINGS = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def register(t):
    """8-bit results live in a 16-bit register, extended by their own sign."""
    return t[0] + "16" if t in ("u8", "s8") else t


def extended(number, t):
    return n.cut(number, n.width(register(t)))


def integer_to_integer():
    cases = []
    for source in INTEGERS:
        outs = [op(register(d), f"cvt.{d}.{source} %d, %a;",
                   lambda a, s=source, d=d: extended(n.number(n.number(a, s), d), d)) for d in INTEGERS if d != source]
        clamps = []
        for d in INTEGERS:
            bits = n.width(d)
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if d[0] == "s" else (0, (1 << bits) - 1)
            if d != source and n.width(source) >= bits:
                clamps.append(op(register(d), f"cvt.sat.{d}.{source} %d, %a;",
                                 lambda a, s=source, d=d, low=low, high=high:
                                 extended(min(max(n.number(a, s), low), high), d)))
        rows = sorted({(n.cut(a, n.width(source)),) for bits in (8, 16, 32, 64) if bits <= n.width(source)
                       for a in edges(f"u{bits}") + [-1 << bits - 1, -(1 << bits - 1) - 1]})
        cases.append(Case(f"cvt_from_{source}", [source], rows, outs + clamps))
    return cases


def integer_to_float():
    # At 2^24 and 2^53 neighbours cannot be told apart any more.
    near = {"32": [0x01000001, 0x01000003, 0xFEFFFFFF, 0x7FFFFFFF], "64": [
        0x0020000000000001, 0x0020000000000003, 0x7FFFFFFFFFFFFFFF, 0xFFDFFFFFFFFFFFFF, 0x0000000001000001],
        "16": [2049, 2051, 65519], "8": [100]}
    cases = []
    for source in INTEGERS:
        rows = [(a,) for a in edges(source) + near[source[1:]]]
        outs = [op(d, f"cvt.{mode}.{d}.{source} %d, %a;",
                   lambda a, s=source, f=FORMATS[d], mode=mode: x.integer_to_float(f, n.number(a, s), mode))
                for d in ("f16", "bf16", "f32", "f64") if (d, source[1:]) != ("bf16", "8") for mode in (ROUNDINGS if d[0] == "f" and d != "f16" else ["rn"])]
        outs += [op("f32", f"cvt.rn.sat.f32.{source} %d, %a;", lambda a, s=source:
                    x.finish(x.F32, x.integer_to_float(x.F32, n.number(a, s)), sat=True))]
        cases.append(Case(f"cvt_float_from_{source}", [source], rows, outs))
    return cases


def whole_rows(f):
    numbers = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49, -0.51, 0.9, 1.1, 126.5, 127.5, 128, 255.5, 256, -128.5, -129, 3.7, -3.7]
    if f in (x.F32, x.F64):
        numbers += [32767.5, 32768, 65535.5, -32768.5, 2147483520, 2147483648, 4294967040, 4294967296, -2147483648,
                    -2147483904, 9.2e18, 9.3e18, 1.8e19, 1.9e19, -9.2e18, -9.3e18]
    if f is x.F64:
        numbers += [2147483647.5, 2147483646.5, 4294967295.5, -2147483648.5, 4503599627370496.5]
    return [(a,) for a in float_edges(f)] + [(x.of(f, a),) for a in numbers]


def float_to_integer():
    cases = []
    for source in ("f16", "bf16", "f32", "f64"):
        f = FORMATS[source]
        for d in INTEGERS:
            if f is x.BF16 and n.width(d) == 8:
                continue
            rows = whole_rows(f)
            if f is x.F64 and n.width(d) < 32:
                rows = without_nan(f, rows)
            outs = []
            for word, mode in INTEGER_ROUNDINGS.items():
                suffixes = ["", ".ftz"] if source == "f32" else [""]
                outs += [op(register(d), f"cvt.{word}{z}.{d}.{source} %d, %a;", lambda a, f=f, d=d, mode=mode, z=z: extended(
                    n.number(x.float_to_integer(f, a, n.width(d), d[0] == "s", mode, bool(z)), d), d)) for z in suffixes]
            cases.append(Case(f"cvt_{d}_from_{source}", [source], rows, outs))
    return cases


def narrow_rows(source, target):
    """Edges of both formats, and values about halfway between neighbours of the target."""
    numbers = [1, 1.1, -1.1, 0.1, 1e-5, 65504, 65519, 65520, 1e5, -1e5, 3.3, 0.333]
    ulp = x.Fraction(1, 1 << target.mantissa)
    ties = [1 + ulp / 2, 1 + 3 * ulp / 2, 1 + ulp / 2 + ulp / 1024, -(1 + ulp / 2), 1 + ulp / 4]
    tiny = x.Fraction(2) ** target.least_exponent
    subnormal = [tiny / 2, tiny * ulp, tiny * ulp / 2, tiny * ulp * 3 / 4, tiny * ulp / 4, -tiny * ulp / 2,
                 tiny - tiny * ulp / 2]
    large = x.value(target, target.max)
    over = [large, large * (1 + ulp / 4), large * (1 + ulp / 8) - 1, large * 2]
    rows = [(a,) for a in float_edges(source)] + [(x.of(source, a),) for a in numbers + ties + subnormal + over]
    return list(dict.fromkeys(rows))


def float_to_float():
    f16, bf16, f32, f64 = x.F16, x.BF16, x.F32, x.F64
    how = x.float_to_float
    cases = [
        Case("cvt_f32_from_f64", ["f64"], narrow_rows(f64, f32), [
            op("f32", f"cvt.{m}{z}.f32.f64 %d, %a;", lambda a, m=m, z=z: how(f64, f32, a, m, ".ftz" in z, ".sat" in z))
            for m in ROUNDINGS for z in ("", ".ftz", ".sat")]),
        Case("cvt_f16_from_f32", ["f32"], narrow_rows(f32, f16), [
            op("f16", f"cvt.{m}{z}.f16.f32 %d, %a;", lambda a, m=m, z=z: how(f32, f16, a, m, ".ftz" in z, ".sat" in z))
            for m in ("rn", "rz") for z in ("", ".ftz", ".sat")]),
        Case("cvt_f16_from_f64", ["f64"], narrow_rows(f64, f16), [
            op("f16", f"cvt.{m}.f16.f64 %d, %a;", lambda a, m=m: how(f64, f16, a, m)) for m in ("rn", "rz")]),
        Case("cvt_bf16_from_f32", ["f32"], narrow_rows(f32, bf16), [
            op("bf16", f"cvt.{m}.bf16.f32 %d, %a;", lambda a, m=m: how(f32, bf16, a, m)) for m in ("rn", "rz")]),
        Case("cvt_f64_from_f32", ["f32"], [(a,) for a in float_edges(f32)] + [(x.of(f32, 0.1),)], [
            op("f64", f"cvt{z}.f64.f32 %d, %a;", lambda a, z=z: how(f32, f64, a, "rn", bool(z))) for z in ("", ".ftz")]),
        Case("cvt_from_f16", ["f16"], [(a,) for a in float_edges(f16)] + [(x.of(f16, v),) for v in (0.1, -3.25)], [
            op("f32", "cvt.f32.f16 %d, %a;", lambda a: how(f16, f32, a)),
            op("f64", "cvt.f64.f16 %d, %a;", lambda a: how(f16, f64, a)),
            op("f32", "cvt.sat.f32.f16 %d, %a;", lambda a: how(f16, f32, a, sat=True))]),
        Case("cvt_from_bf16", ["bf16"], [(a,) for a in float_edges(bf16)] + [(x.of(bf16, v),) for v in (0.1, -3.25)], [
            op("f32", "cvt.f32.bf16 %d, %a;", lambda a: how(bf16, f32, a))]),
        Case("cvt_sat_f32", ["f32"], [(a,) for a in float_edges(f32)] + [(x.of(f32, v),) for v in (0.5, 1.5, -0.5)], [
            op("f32", "cvt.sat.f32.f32 %d, %a;", lambda a: x.finish(f32, a, sat=True))]),
        Case("cvt_ftz_f32", ["f32"], without_nan(f32, [(a,) for a in float_edges(f32)]), [
            op("f32", "cvt.ftz.f32.f32 %d, %a;", lambda a: x.flush(f32, a))]),
    ]
    return cases + [packed(t) for t in ("f16", "bf16")] + [relu(), tf32(), tf32_to_zero(), other_halves()] + finite()


def packed(t):
    """Two f32 become one register: the first source is the upper half."""
    f = FORMATS[t]
    values = [a for a, in narrow_rows(x.F32, f)]
    rows = list(zip(values, values[5:] + values[:5]))
    both = lambda a, b, m: x.float_to_float(x.F32, f, a, m) << 16 | x.float_to_float(x.F32, f, b, m)
    return Case(f"cvt_{t}x2_from_f32", ["f32", "f32"], rows, [
        op(t + "x2", f"cvt.{m}.{t}x2.f32 %d, %a, %b;", lambda a, b, m=m: both(a, b, m)) for m in ("rn", "rz")])


def relu():
    rows = [(a,) for a, in narrow_rows(x.F32, x.F16) if a != x.F32.sign]
    outs = []
    for t in ("f16", "bf16"):
        f = FORMATS[t]

        def clamp(a, f=f):
            bits = x.float_to_float(x.F32, f, a)
            return bits if x.is_nan(f, bits) or not bits & f.sign else 0
        outs.append(op(t, f"cvt.rn.relu.{t}.f32 %d, %a;", clamp))
    return Case("cvt_relu", ["f32"], rows, outs)


def tf32():
    """10 bits of mantissa at the top of 32; ties away from zero."""
    return Case("cvt_rna_tf32", ["f32"], without_nan(x.F32, narrow_rows(x.F32, x.TF32)), [
        op("tf32", "cvt.rna.tf32.f32 %d, %a;", lambda a: x.float_to_float(x.F32, x.TF32, a, "rna") << 13)])


def without_sign(f, bits):
    return bits if x.is_nan(f, bits) or not bits & f.sign else 0


def tf32_to_zero():
    """The tf32 of sm_90: to nearest even and toward zero, and with negative numbers as zero."""
    rows = without_nan(x.F32, narrow_rows(x.F32, x.TF32))
    to = lambda a, mode: x.float_to_float(x.F32, x.TF32, a, mode) << 13
    return Case("cvt_tf32", ["f32"], [row for row in rows if row[0] != x.F32.sign], [
        op("tf32", f"cvt.{mode}{relu}.tf32.f32 %d, %a;",
           lambda a, mode=mode, relu=relu: without_sign(x.F32, to(a, mode)) if relu else to(a, mode))
        for mode in ("rn", "rz") for relu in ("", ".relu")])


def other_halves():
    """bf16 from and to what is not f32."""
    f16, bf16, f64 = x.F16, x.BF16, x.F64
    rows = list(zip([a for a, in narrow_rows(f64, bf16)], [a for a, in narrow_rows(f16, bf16)] * 2,
                    [a for a, in narrow_rows(bf16, f16)] * 2))
    how = x.float_to_float
    return Case("cvt_other_halves", ["f64", "f16", "bf16"], without_nan_of((f64, f16, bf16), rows), [
        op("bf16", "cvt.rn.bf16.f64 %d, %a;", lambda a, b, c: how(f64, bf16, a)),
        op("bf16", "cvt.rz.bf16.f16 %d, %b;", lambda a, b, c: how(f16, bf16, b, "rz")),
        op("f16", "cvt.rn.f16.bf16 %d, %c;", lambda a, b, c: how(bf16, f16, c)),
        op("f64", "cvt.f64.bf16 %d, %c;", lambda a, b, c: how(bf16, f64, c)),
        op("bf16", "cvt.rni.bf16.bf16 %d, %c;", lambda a, b, c: x.to_integral(bf16, c, "rn")),
        op("s32", "cvt.rzi.s32.bf16 %d, %c;", lambda a, b, c: x.float_to_integer(bf16, c, 32, True, "rz"))])


def without_nan_of(formats, rows):
    return [row for row in rows if not any(x.is_nan(f, a) for f, a in zip(formats, row))]


def finite():
    """.satfinite of halves: beyond the largest number becomes it."""
    cases = []
    for t in ("f16", "bf16"):
        f = FORMATS[t]

        def clamp(a, mode="rn", relu=False, f=f):
            bits = x.float_to_float(x.F32, f, a, mode)
            if x.is_inf(f, bits):
                bits -= 1
            return without_sign(f, bits) if relu else bits
        values = [a for a, in narrow_rows(x.F32, f) if a != x.F32.sign]
        rows = list(zip(values, values[4:] + values[:4]))
        both = lambda a, b, g=clamp, **how: g(a, **how) << 16 | g(b, **how)
        cases.append(Case(f"cvt_satfinite_{t}", ["f32", "f32"], rows, [
            op(t, f"cvt.rn.satfinite.{t}.f32 %d, %a;", lambda a, b, g=clamp: g(a)),
            op(t, f"cvt.rz.relu.satfinite.{t}.f32 %d, %a;", lambda a, b, g=clamp: g(a, "rz", True)),
            op(t + "x2", f"cvt.rn.satfinite.{t}x2.f32 %d, %a, %b;", lambda a, b, g=both: g(a, b)),
            op(t + "x2", f"cvt.rn.relu.satfinite.{t}x2.f32 %d, %a, %b;", lambda a, b, g=both: g(a, b, relu=True)),
            op(t + "x2", f"cvt.rz.relu.{t}x2.f32 %d, %a, %b;", lambda a, b, f=f: sum(
                without_sign(f, x.float_to_float(x.F32, f, v, "rz")) << s for v, s in ((a, 16), (b, 0))))]))
    return cases


# ---- fp8 and narrower -----------------------------------------------------------------------------------


def around(name, f):
    """Every number of the format, the middles between neighbours and a little to both sides, as bits of f."""
    codes = [x.narrow_value(name, code) for code in range(x.NARROW[name][2] + 1)]
    tiny = x.Fraction(1, 1 << f.mantissa - 1)
    numbers = codes + [(p + q) / 2 for p, q in zip(codes, codes[1:])]
    numbers += [(p + q) / 2 * (1 + tiny) for p, q in zip(codes, codes[1:])]
    numbers += [codes[-1] * (1 + step) for step in (x.Fraction(1, 32), x.Fraction(1, 4), 3)]
    bits = [x.of(f, q) for q in numbers] + float_edges(f)
    signed = [b | (f.sign if i % 2 else 0) for i, b in enumerate(bits)]
    return list(dict.fromkeys(signed))


def to_narrow(name):
    pair = name + "x2"
    step = 4 if name == "e2m1" else 8
    values = around(name, x.F32)
    halves = around(name, x.F16)
    halves += halves[:len(values) - len(halves)] if len(halves) < len(values) else []
    rows = [(a, b, c | d << 16) for a, b, c, d in zip(values, values[7:] + values[:7], halves, halves[3:] + halves[:3])]
    outs = []
    for relu in ("", ".relu"):
        both = lambda a, b, f, relu=relu: x.narrow_from(name, f, a, bool(relu)) << step | x.narrow_from(name, f, b, bool(relu))
        outs.append(op(pair, f"cvt.rn.satfinite{relu}.{pair}.f32 %d, %a, %b;", lambda a, b, c, g=both: g(a, b, x.F32)))
        if name in ("e4m3", "e5m2"):
            outs.append(op(pair, f"cvt.rn.satfinite{relu}.{pair}.f16x2 %d, %c;",
                           lambda a, b, c, g=both: g(c >> 16, c & 0xFFFF, x.F16)))
    return Case(f"cvt_{pair}", ["f32", "f32", "f16x2"], rows, outs)


def narrow_to_halves(name):
    pair, step = name + "x2", 4 if name == "e2m1" else 8
    count = 1 << 1 + x.NARROW[name][0] + x.NARROW[name][1]
    rows = [(a << step | (a * 5 + 3) % count,) for a in range(count)]
    halves = lambda a, relu: sum(x.from_narrow(x.F16, name, a >> step * i & (1 << step) - 1, relu) << 16 * i for i in (0, 1))
    return Case(f"cvt_from_{pair}", [pair], rows, [
        op("f16x2", f"cvt.rn{relu}.f16x2.{pair} %d, %a;", lambda a, relu=relu: halves(a, bool(relu)))
        for relu in ("", ".relu")])


def narrow(names):
    return [case for name in names for case in (to_narrow(name), narrow_to_halves(name))]


def pack_integers():
    values = [0, 1, 5, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535, 65536, -32768, -32769, 2**31 - 1, -2**31, 7, -9]
    rows = [(n.cut(a, 32), n.cut(b, 32), c) for (a, b), c in
            zip(zip(values, values[3:] + values[:3]), [0, 0xFFFFFFFF, 0x12345678] * len(values))]

    def clamped(a, type_name):
        bits = n.width(type_name)
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if type_name[0] == "s" else (0, (1 << bits) - 1)
        return n.cut(min(max(n.signed(a, 32), low), high), bits)
    outs = [op("b32", f"cvt.pack.sat.{t}.s32 %d, %a, %b;", lambda a, b, c, t=t: clamped(a, t) << 16 | clamped(b, t))
            for t in ("u16", "s16")]
    for t in ("u8", "s8", "u4", "s4", "u2", "s2"):
        bits = n.width(t)
        outs.append(op("b32", f"cvt.pack.sat.{t}.s32.b32 %d, %a, %b, %c;", lambda a, b, c, t=t, bits=bits:
                       n.cut(c << 2 * bits, 32) | clamped(a, t) << bits | clamped(b, t)))
    return Case("cvt_pack", ["s32", "s32", "b32"], rows, outs)


def to_integral():
    cases = []
    for t in ("f32", "f64", "f16"):
        f = FORMATS[t]
        outs = [op(t, f"cvt.{word}{z}.{t}.{t} %d, %a;",
                   lambda a, f=f, mode=mode, z=z: x.to_integral(f, a, mode, ".ftz" in z, ".sat" in z))
                for word, mode in INTEGER_ROUNDINGS.items() for z in (["", ".ftz", ".sat"] if t == "f32" else [""])]
        cases.append(Case(f"cvt_integral_{t}", [t], whole_rows(f), outs))
    return cases


def cvt():
    return (integer_to_integer() + integer_to_float() + float_to_integer() + float_to_float() + to_integral() +
            narrow(["e4m3", "e5m2"]) + [pack_integers()])


FILES = {
    "cvt.sm_100a": ("cvt: numbers of 6 and 4 bits", lambda: narrow(["e2m3", "e3m2", "e2m1"])),
    "cvt": ("cvt: between integers, to and from floating point, every rounding, saturation, NaN, subnormals", cvt),
}
