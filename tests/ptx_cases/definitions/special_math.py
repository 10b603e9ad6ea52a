"""sqrt … tanh. Exact roundings by rational arithmetic; the approximations against the correctly rounded value,
within the error that the PTX ISA gives."""
import math

import expected as x
from case_file import Case, op
from definitions.operands import float_edges

F32, F64 = x.F32, x.F64
SIGNALLING = F64.inf | 1
ROUNDINGS = [".rn", ".rz", ".rm", ".rp"]


def rows(f, numbers, keep=lambda a: True):
    return [(a,) for a in float_edges(f) + [x.of(f, v) for v in numbers] if keep(a)]


def no_subnormal(f):
    return lambda a: not x.is_subnormal(f, a)


def any_nan(f, bits):
    return x.ANY_NAN if bits == x.ANY_NAN or x.is_nan(f, bits) else bits


def from_double(f, function):
    """Through a double's function, far more exact than the tolerance; special values are handled before."""
    return lambda a: x.of(f, function(float(x.value(f, a))))


NUMBERS = [0.5, 2, 3, 4, 10, 0.1, 1e-3, 1e10, 1e-10, 1e-30, 1e30, 1.0000001, 0.9999999, 5.5, 144]


def sqrt():
    wide = NUMBERS + [1e300, 1e-300, 2.0**-1073, 1 + 2.0**-52]
    cases = [
        Case("sqrt_f32", ["f32"], rows(F32, NUMBERS + [2.0**-148, -3]),
             [op("f32", f"sqrt{m}{z}.f32 %d, %a;", lambda a, m=m, z=z: x.sqrt(F32, a, mode=m[1:], ftz=bool(z)))
              for m in ROUNDINGS for z in ("", ".ftz")]),
        Case("sqrt_f64", ["f64"], rows(F64, wide),
             [op("f64", f"sqrt{m}.f64 %d, %a;", lambda a, m=m: x.sqrt(F64, a, mode=m[1:])) for m in ROUNDINGS]),
    ]
    return cases + [Case("sqrt_approximate_f32", ["f32"], rows(F32, NUMBERS, no_subnormal(F32)), [
        op("f32", f"sqrt.approx{z}.f32 %d, %a;", lambda a: any_nan(F32, x.sqrt(F32, a)), "relative 2^-22")
        for z in ("", ".ftz")])]


def rcp():
    wide = NUMBERS + [1e300, 1e-300, -7]
    flushed = lambda a: not x.is_subnormal(F32, a) and not x.is_subnormal(F32, x.rcp(F32, a))
    usual = rows(F32, NUMBERS + [-7], flushed)
    cases = [
        Case("rcp_f32", ["f32"], rows(F32, NUMBERS + [2.0**-148, 2.0**127, -7]),
             [op("f32", f"rcp{m}{z}.f32 %d, %a;", lambda a, m=m, z=z: x.rcp(F32, a, mode=m[1:], ftz=bool(z)))
              for m in ROUNDINGS for z in ("", ".ftz")]),
        Case("rcp_f64", ["f64"], rows(F64, wide),
             [op("f64", f"rcp{m}.f64 %d, %a;", lambda a, m=m: x.rcp(F64, a, mode=m[1:])) for m in ROUNDINGS]),
        Case("rcp_approximate_f32", ["f32"], usual, [
            op("f32", f"rcp.approx{z}.f32 %d, %a;", lambda a: any_nan(F32, x.rcp(F32, a)), "1 ulp") for z in ("", ".ftz")]),
    ]
    # Neither operand nor result subnormal, and no NaN that hides in the lower half, which is not looked at.
    keep = lambda a: not x.is_subnormal(F64, a) and a != SIGNALLING and (
        x.is_nan(F64, a) or x.is_inf(F64, a) or x.magnitude(F64, a) < F64.max - (1 << 53))
    return cases + [Case("rcp_approximate_f64", ["f64"], rows(F64, wide, keep), [
        op("f64", "rcp.approx.ftz.f64 %d, %a;", lambda a: any_nan(F64, x.rcp(F64, a)), "relative 2^-19")])]


def rsqrt():
    wide = NUMBERS + [1e300, 1e-300]
    return [
        Case("rsqrt_f32", ["f32"], rows(F32, NUMBERS, no_subnormal(F32)), [
            op("f32", f"rsqrt.approx{z}.f32 %d, %a;", lambda a: any_nan(F32, x.rsqrt(F32, a)), "relative 2^-22")
            for z in ("", ".ftz")]),
        Case("rsqrt_subnormal_f32", ["f32"], [(3,), (1 << 22,)], [
            op("f32", "rsqrt.approx.f32 %d, %a;", lambda a: x.rsqrt(F32, a), "relative 2^-22"),
            op("f32", "rsqrt.approx.ftz.f32 %d, %a;", lambda a: F32.inf)]),
        Case("rsqrt_f64", ["f64"], rows(F64, wide, no_subnormal(F64)), [
            op("f64", "rsqrt.approx.f64 %d, %a;", lambda a: any_nan(F64, x.rsqrt(F64, a)), "relative 2^-22")]),
        Case("rsqrt_ftz_f64", ["f64"], rows(F64, wide, lambda a: not x.is_subnormal(F64, a) and a != SIGNALLING), [
            op("f64", "rsqrt.approx.ftz.f64 %d, %a;", lambda a: any_nan(F64, x.rsqrt(F64, a)), "relative 2^-19")]),
    ]


def halves(opcode, modifiers, function, within, numbers):
    """f16 and bf16, alone and in pairs of which the lower half is looked at."""
    cases = []
    for t, modifier in modifiers.items():
        f = {"f16": x.F16, "bf16": x.BF16}[t]
        values = [x.of(f, v) for v in numbers]
        exact = from_double(f, function)
        outs = [op(t, f"{opcode}{modifier}.{t} %d, %a;", exact, within[t]),
                op(t, f"{opcode}{modifier}.{t}x2 %w, %b;\nmov.b32 {{%d, _}}, %w;", lambda a, b, g=exact: g(b & 0xFFFF), within[t]),
                op(t, f"mov.b32 {{_, %d}}, %w;", lambda a, b, g=exact: g(b >> 16), within[t])]
        outs[0].value = lambda a, b, g=exact: g(a)
        outs[2].label = outs[1].label + ", upper half"
        rows = [(a, a | b << 16) for a, b in zip(values, values[1:] + values[:1])]
        cases.append(Case(f"{opcode}_{t}", [t, t + "x2"], rows, outs, registers=".reg .b32 %w;"))
    return cases


def ex2():
    numbers = [-1, 0.5, -0.5, 3.25, 10.7, -20.3, 127, 127.99999, 128, -126, 1e-10, 1e-3, 100.1]

    def value(a):
        if x.is_nan(F32, a):
            return x.ANY_NAN
        if x.is_inf(F32, a) or abs(x.value(F32, a)) > 1000:
            return 0 if x.negative(F32, a) else F32.inf
        return from_double(F32, lambda v: 2.0**v)(a)
    cases = [Case("ex2_f32", ["f32"], rows(F32, numbers), [
        op("f32", f"ex2.approx{z}.f32 %d, %a;", value, "2 ulp") for z in ("", ".ftz")])]
    cases += halves("ex2", {"f16": ".approx", "bf16": ".approx.ftz"}, lambda v: 2.0**v,
                    {"f16": "relative 2^-9.9", "bf16": "relative 2^-7"}, [-1, 0.5, -0.5, 3.25, 10.7, -10.3, 1e-3])
    cases.append(Case("ex2_subnormal_result", ["f32"], [(x.of(F32, v),) for v in (-127, -130.5, -140, -160)], [
        op("f32", "ex2.approx.f32 %d, %a;", value, "2 ulp"),
        op("f32", "ex2.approx.ftz.f32 %d, %a;", lambda a: 0)]))
    return cases


def lg2():
    def value(a):
        if x.is_zero(F32, a):
            return F32.inf | F32.sign
        if x.is_nan(F32, a) or x.negative(F32, a):
            return x.ANY_NAN
        return a if x.is_inf(F32, a) else from_double(F32, math.log2)(a)
    near = [0.5, 0.75, 0.99, 1.0, 1.0000001, 1.01, 1.5, 2]
    far = [v for v in NUMBERS if not 0.5 <= v <= 2]
    cases = [Case("lg2_between_a_half_and_2", ["f32"], [(x.of(F32, v),) for v in near], [
        op("f32", f"lg2.approx{z}.f32 %d, %a;", value, "absolute 2^-22") for z in ("", ".ftz")])]
    outside = [(a,) for a in float_edges(F32) if a != F32.one and not x.is_subnormal(F32, a)]
    cases.append(Case("lg2_elsewhere", ["f32"], outside + [(x.of(F32, v),) for v in far], [
        op("f32", f"lg2.approx{z}.f32 %d, %a;", value, "relative 2^-22") for z in ("", ".ftz")]))
    cases.append(Case("lg2_subnormal", ["f32"], [(3,), (1 << 22,)], [
        op("f32", "lg2.approx.f32 %d, %a;", value, "relative 2^-22"),
        op("f32", "lg2.approx.ftz.f32 %d, %a;", lambda a: F32.inf | F32.sign)]))
    return cases


def waves(opcode, function, error, at_zero):
    def value(a):
        if x.is_nan(F32, a) or x.is_inf(F32, a):
            return x.ANY_NAN
        if x.is_zero(F32, a):
            return at_zero(a)
        return from_double(F32, function)(a)
    numbers = [0.1, 0.5, 1, 1.5, 2, 3, 3.1415927, -0.1, -1, -3, 1e-3, -1.5707964]
    special = [(a,) for a in (0, F32.sign, F32.inf, F32.inf | F32.sign, F32.nan)]
    return [Case(f"{opcode}_f32", ["f32"], special + [(x.of(F32, v),) for v in numbers], [
        op("f32", f"{opcode}.approx{z}.f32 %d, %a;", value, f"absolute {error}") for z in ("", ".ftz")])]


def tanh():
    def value(a):
        if x.is_nan(F32, a):
            return x.ANY_NAN
        if x.is_inf(F32, a):
            return F32.one | (a & F32.sign)
        return a if x.is_zero(F32, a) else from_double(F32, math.tanh)(a)
    numbers = [0.1, 0.5, -0.5, 1, 2, -3, 9, 1e-3, 100]
    return [Case("tanh_f32", ["f32"], rows(F32, numbers, no_subnormal(F32)), [
        op("f32", "tanh.approx.f32 %d, %a;", value, "relative 2^-10.9")])] + halves(
            "tanh", {"f16": ".approx", "bf16": ".approx"}, math.tanh,
            {"f16": "absolute 2^-10.9", "bf16": "absolute 2^-8"}, [0.1, 0.5, -0.5, 1, 2, -3, 9])


FILES = {
    "sqrt": ("sqrt: every rounding, and the approximation", sqrt),
    "rcp": ("rcp: every rounding, and the approximations", rcp),
    "rsqrt": ("rsqrt: one over the square root, approximated", rsqrt),
    "ex2": ("ex2: powers of two, approximated", ex2),
    "lg2": ("lg2: logarithm to base two, approximated", lg2),
    "sin": ("sin: approximated between -pi and pi", lambda: waves("sin", math.sin, "2^-20.5", lambda a: a)),
    "cos": ("cos: approximated between -pi and pi", lambda: waves("cos", math.cos, "2^-20.5", lambda a: F32.one)),
    "tanh": ("tanh: approximated", tanh),
}
