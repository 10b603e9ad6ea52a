"""What floating-point instructions must answer, by exact rational arithmetic and one rounding step.

Values travel as bits. A finite value is a Fraction, so that sums, products and fused operations are exact until
`round_to` rounds them once. It shares no code with the CPU engine; integers stand in integers.py.
"""
from fractions import Fraction
from math import isqrt

ANY_NAN = "nan"  # the PTX ISA leaves the payload open


class Format:
    """A binary floating-point format; `nan` is the NaN that its instructions answer."""

    def __init__(self, name, exponent_bits, mantissa_bits, nan):
        self.name = name
        self.mantissa = mantissa_bits
        self.bits = 1 + exponent_bits + mantissa_bits
        self.sign = 1 << (self.bits - 1)
        self.inf = ((1 << exponent_bits) - 1) << mantissa_bits
        self.max = self.inf - 1
        self.least_exponent = 2 - (1 << (exponent_bits - 1))  # of a normal number
        self.one = ((1 << (exponent_bits - 1)) - 1) << mantissa_bits
        self.nan = nan


F16 = Format("f16", 5, 10, 0x7FFF)
BF16 = Format("bf16", 8, 7, 0x7FFF)
F32 = Format("f32", 8, 23, 0x7FFFFFFF)
F64 = Format("f64", 11, 52, ANY_NAN)
TF32 = Format("tf32", 8, 10, 0)


def magnitude(f, a):
    return a & (f.sign - 1)


def negative(f, a):
    return a & f.sign != 0


def is_nan(f, a):
    return magnitude(f, a) > f.inf


def is_inf(f, a):
    return magnitude(f, a) == f.inf


def is_zero(f, a):
    return magnitude(f, a) == 0


def is_subnormal(f, a):
    return 0 < magnitude(f, a) < 1 << f.mantissa


def flush(f, a):
    return a & f.sign if is_subnormal(f, a) else a


def value(f, a):
    """The finite value as a Fraction."""
    m = magnitude(f, a)
    exponent, fraction = m >> f.mantissa, m & ((1 << f.mantissa) - 1)
    if exponent:
        fraction |= 1 << f.mantissa
    q = Fraction(fraction) * Fraction(2) ** (max(exponent, 1) - 1 + f.least_exponent - f.mantissa)
    return -q if negative(f, a) else q


def round_to_integer(q, mode):
    """rn: ties to even, rna: ties away from zero, rz, rm: down, rp: up."""
    floor = q.numerator // q.denominator
    rest = q - floor
    if rest == 0:
        return floor
    if mode in ("rz", "rm", "rp"):
        up = mode == "rp" or (mode == "rz" and q < 0)
    else:
        half = Fraction(1, 2)
        up = rest > half or (rest == half and (floor % 2 == 1 if mode == "rn" else q > 0))
    return floor + up


def exponent_of(q):
    """floor(log2(q)) of a positive Fraction."""
    e = q.numerator.bit_length() - q.denominator.bit_length()
    return e if Fraction(2) ** e <= q else e - 1


def round_to(f, q, mode="rn", zero_sign=0):
    """The bits of `q` rounded to the format; a zero takes `zero_sign`."""
    if q == 0:
        return f.sign if zero_sign else 0
    sign = f.sign if q < 0 else 0
    e = max(exponent_of(abs(q)), f.least_exponent)
    towards = {"rm": "rp", "rp": "rm"}.get(mode, mode) if sign else mode
    steps = round_to_integer(abs(q) / Fraction(2) ** (e - f.mantissa), towards)
    bits = ((e - f.least_exponent) << f.mantissa) + steps
    if bits >= f.inf:
        bits = f.max if towards in ("rz", "rm") else f.inf
    return sign | bits


def finish(f, bits, ftz=False, sat=False):
    """What .ftz and .sat do to a result."""
    if sat and (bits == ANY_NAN or is_nan(f, bits) or negative(f, bits)):
        return 0
    if bits == ANY_NAN:
        return bits
    if is_nan(f, bits):
        return f.nan
    if ftz:
        bits = flush(f, bits)
    return f.one if sat and bits > f.one else bits


def operation(exact):
    """Wraps exact(f, *bits, mode), which sees no NaN, in flushing, NaN and saturation."""

    def run(f, *operands, mode="rn", ftz=False, sat=False):
        if ftz:
            operands = tuple(flush(f, a) for a in operands)
        if any(is_nan(f, a) for a in operands):
            return finish(f, f.nan, ftz, sat)
        return finish(f, exact(f, *operands, mode), ftz, sat)

    return run


def zero_sign_of_sum(f, a_negative, b_negative, mode):
    return a_negative if a_negative == b_negative else mode == "rm"


@operation
def add(f, a, b, mode):
    if is_inf(f, a) or is_inf(f, b):
        if is_inf(f, a) and is_inf(f, b) and a != b:
            return f.nan
        return a if is_inf(f, a) else b
    both_zero = is_zero(f, a) and is_zero(f, b)
    sign = zero_sign_of_sum(f, negative(f, a), negative(f, b), mode) if both_zero else mode == "rm"
    return round_to(f, value(f, a) + value(f, b), mode, sign)


def sub(f, a, b, **how):
    return add(f, a, b ^ f.sign, **how)


@operation
def mul(f, a, b, mode):
    sign = (a ^ b) & f.sign
    if is_inf(f, a) or is_inf(f, b):
        return f.nan if is_zero(f, a) or is_zero(f, b) else sign | f.inf
    return round_to(f, value(f, a) * value(f, b), mode, sign)


@operation
def fma(f, a, b, c, mode):
    product_sign = (a ^ b) & f.sign
    if is_inf(f, a) or is_inf(f, b):
        if is_zero(f, a) or is_zero(f, b) or (is_inf(f, c) and (c & f.sign) != product_sign):
            return f.nan
        return product_sign | f.inf
    if is_inf(f, c):
        return c
    product = value(f, a) * value(f, b)
    if product == 0 and is_zero(f, c):
        sign = zero_sign_of_sum(f, product_sign != 0, negative(f, c), mode)
    else:
        sign = mode == "rm"
    return round_to(f, product + value(f, c), mode, sign)


@operation
def div(f, a, b, mode):
    sign = (a ^ b) & f.sign
    if is_inf(f, a):
        return f.nan if is_inf(f, b) else sign | f.inf
    if is_inf(f, b):
        return sign
    if is_zero(f, b):
        return f.nan if is_zero(f, a) else sign | f.inf
    return round_to(f, value(f, a) / value(f, b), mode, sign)


def rcp(f, a, **how):
    return div(f, f.one, a, **how)


def root(q):
    """sqrt(q), exact or so close that it rounds the same way: 150 bits and a sticky half."""
    shift = 300 + 2 * abs(exponent_of(q))
    scaled = (q.numerator << shift) // q.denominator
    r = isqrt(scaled)
    sticky = 0 if r * r == scaled and scaled * q.denominator == q.numerator << shift else Fraction(1, 2)
    return (r + sticky) / Fraction(2) ** (shift // 2)


@operation
def sqrt(f, a, mode):
    if is_zero(f, a):
        return a
    if negative(f, a):
        return f.nan
    return a if is_inf(f, a) else round_to(f, root(value(f, a)), mode)


@operation
def rsqrt(f, a, mode):
    if is_zero(f, a):
        return a | f.inf
    if negative(f, a):
        return f.nan
    return 0 if is_inf(f, a) else round_to(f, 1 / root(value(f, a)), mode)


def extremum(f, a, b, largest, ftz=False, nan_wins=False):
    if ftz:
        a, b = flush(f, a), flush(f, b)
    if is_nan(f, a) or is_nan(f, b):
        if nan_wins or (is_nan(f, a) and is_nan(f, b)):
            return f.nan
        return b if is_nan(f, a) else a
    key = lambda x: -magnitude(f, x) - 1 if negative(f, x) else magnitude(f, x)  # -0 below +0
    return max(a, b, key=key) if largest else min(a, b, key=key)


def compare(f, word, a, b, ftz=False):
    """The fourteen floating-point comparisons."""
    if ftz:
        a, b = flush(f, a), flush(f, b)
    unordered = is_nan(f, a) or is_nan(f, b)
    if word in ("num", "nan"):
        return unordered == (word == "nan")
    if unordered:
        return word.endswith("u")
    key = lambda x: -magnitude(f, x) if negative(f, x) else magnitude(f, x)
    x, y = key(a), key(b)
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[word[:2]]


# ---- cvt ------------------------------------------------------------------------------------------------


def float_to_float(source, target, a, mode="rn", ftz=False, sat=False):
    if ftz and source is F32:
        a = flush(source, a)
    if is_nan(source, a):
        return 0 if sat else (target.nan if source.bits > target.bits else ANY_NAN)
    sign = target.sign if negative(source, a) else 0
    if is_inf(source, a):
        bits = sign | target.inf
    else:
        bits = round_to(target, value(source, a), mode, sign)
    return finish(target, bits, ftz and target is F32, sat)


def to_integral(f, a, mode, ftz=False, sat=False):
    """cvt.rni.f32.f32 and its kin: an integer in the same format, a zero keeps the sign."""
    if ftz:
        a = flush(f, a)
    if is_nan(f, a):
        return 0 if sat else ANY_NAN
    if not is_inf(f, a):
        a = round_to(f, Fraction(round_to_integer(value(f, a), mode)), "rn", negative(f, a))
    return finish(f, a, False, sat)


def float_to_integer(f, a, bits, signed, mode, ftz=False):
    """Clamps to the range. The NaN rule is that of the PTX ISA's integer notes on cvt."""
    if ftz:
        a = flush(f, a)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if is_nan(f, a):
        return 1 << (bits - 1) if f is F64 or bits == 64 else 0
    if is_inf(f, a):
        return (low if negative(f, a) else high) & ((1 << bits) - 1)
    return min(max(round_to_integer(value(f, a), mode), low), high) & ((1 << bits) - 1)


def integer_to_float(f, n, mode="rn"):
    return round_to(f, Fraction(n), mode)


def of(f, number):
    """The bits of a Python number, rounded to nearest; for writing inputs."""
    if isinstance(number, float) and number in (float("inf"), float("-inf")):
        return f.inf | (f.sign if number < 0 else 0)
    zero_sign = isinstance(number, float) and str(number) == "-0.0"
    return round_to(f, Fraction(number), "rn", zero_sign)


# ---- numbers of 8, 6 and 4 bits -------------------------------------------------------------------------

# Name: (exponent bits, mantissa bits, largest magnitude, what a NaN becomes, magnitudes that are no numbers)
NARROW = {
    "e4m3": (4, 3, 0x7E, 0x7F, {0x7F: "nan"}),
    "e5m2": (5, 2, 0x7B, 0x7F, {0x7C: "inf", 0x7D: "nan", 0x7E: "nan", 0x7F: "nan"}),
    "e2m3": (2, 3, 0x1F, 0x1F, {}),
    "e3m2": (3, 2, 0x1F, 0x1F, {}),
    "e2m1": (2, 1, 0x07, 0x07, {}),
}


def narrow_value(name, magnitude_bits):
    exponent_bits, mantissa, _, _, _ = NARROW[name]
    exponent, fraction = magnitude_bits >> mantissa, magnitude_bits & (1 << mantissa) - 1
    if exponent:
        fraction |= 1 << mantissa
    return Fraction(fraction) * Fraction(2) ** (max(exponent, 1) + 1 - (1 << exponent_bits - 1) - mantissa)


def narrow_from(name, source, a, relu=False):
    """The nearest of all numbers there are, of two as near the one with an even code; beyond the largest, it."""
    exponent_bits, mantissa, largest, nan, _ = NARROW[name]
    sign = 1 << exponent_bits + mantissa
    if is_nan(source, a):
        return nan
    if relu and negative(source, a):
        return 0
    bits = largest
    if not is_inf(source, a):
        q = abs(value(source, a))
        bits = min(range(largest + 1), key=lambda code: (abs(narrow_value(name, code) - q), code & 1))
    return bits | (sign if negative(source, a) else 0)


def from_narrow(target, name, bits, relu=False):
    """To a format that holds all its numbers."""
    exponent_bits, mantissa, _, _, others = NARROW[name]
    sign = target.sign if bits >> exponent_bits + mantissa & 1 else 0
    magnitude_bits = bits & (1 << exponent_bits + mantissa) - 1
    kind = others.get(magnitude_bits)
    if kind == "nan":
        return target.nan
    if relu and sign:
        return 0
    if kind == "inf":
        return sign | target.inf
    return sign | round_to(target, narrow_value(name, magnitude_bits))
