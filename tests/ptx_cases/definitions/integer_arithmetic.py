"""add … dp4a on integers. Division by zero and the most negative number by -1 are left open by the PTX ISA."""
import expected as x
import integers as n
from case_file import Case, Out, op
from definitions.float_arithmetic import float_cases
from definitions.operands import edges, pairs, singles

ALL = ["u16", "s16", "u32", "s32", "u64", "s64"]


def by_number(type_name, function):
    """function on numbers -> function on bits."""
    return lambda *bits: n.cut(function(*(n.number(b, type_name) for b in bits)), n.width(type_name))


def binary(opcode, types, function, rows=lambda t: pairs(edges(t)), modifier=""):
    return [
        Case(f"{opcode}{modifier.replace('.', '_')}_{t}", [t, t], rows(t),
             [op(t, f"{opcode}{modifier}.{t} %d, %a, %b;", by_number(t, function))])
        for t in types
    ]


def unary(opcode, types, function):
    return [Case(f"{opcode}_{t}", [t], singles(t), [op(t, f"{opcode}.{t} %d, %a;", by_number(t, function))])
            for t in types]


def divisible(t):
    lowest = 1 << (n.width(t) - 1)
    more = [(7, 2), (n.cut(-7, n.width(t)), 2), (7, n.cut(-2, n.width(t)))]
    return [(a, b) for a, b in pairs(edges(t), more)
            if b != 0 and not (t[0] == "s" and a == lowest and n.number(b, t) == -1)]


def immediates():
    five = -5
    outs = [
        op("s32", "add.s32 %d, %a, -5;", lambda a: n.cut(a + five, 32)),
        op("s32", "sub.s32 %d, 0x80000000, %a;", lambda a: n.cut(0x80000000 - a, 32)),
        op("s32", "mul.lo.s32 %d, %a, -3;", lambda a: n.cut(-3 * a, 32)),
        op("u32", "add.u32 %d, %a, 0xffffffff;", lambda a: n.cut(a - 1, 32)),
    ]
    return [Case("add_immediate", ["s32"], singles("s32"), outs)]


def carry_add():
    rows = pairs(edges("u64"))
    low = lambda a: a & 0xFFFFFFFF
    split = """
        mov.b64 {%a0, %a1}, %a;
        mov.b64 {%b0, %b1}, %b;
    """
    registers = ".reg .b32 %a0, %a1, %b0, %b1, %x0, %x1, %x2;\n.reg .b64 %y0, %y1, %z;"
    return rows, low, split, registers


def chain(opcode, carry_opcode, sign):
    """64 bits from two halves with the carry out of the top, and 128 bits from four quarters."""
    rows, low, split, registers = carry_add()
    halves = split + f"""
        {opcode}.cc.u32 %x0, %a0, %b0;
        {carry_opcode}.cc.u32 %x1, %a1, %b1;
        {carry_opcode}.u32 %x2, 7, 0;
        mov.b64 %d0, {{%x0, %x1}};
        mov.b32 %d1, %x2;
    """
    borrow = lambda a, b: (a + sign * b) >> 64  # 1 or 0 of a sum, -1 or 0 of a difference
    cases = [Case(f"{carry_opcode}_u32", ["u64", "u64"], rows, [
        Out("u64", f"{opcode}.cc.u32, {carry_opcode}.cc.u32", lambda a, b: n.cut(a + sign * b, 64)),
        Out("u32", f"{carry_opcode}.u32", lambda a, b: n.cut(7 + borrow(a, b), 32)),
    ], halves, registers)]
    wide = f"""
        {opcode}.cc.u64 %y0, %a, %b;
        {carry_opcode}.cc.u64 %y1, %b, %a;
        {carry_opcode}.u64 %z, 0, 0;
        mov.b64 %d0, %y0;
        mov.b64 %d1, %y1;
        mov.b64 %d2, %z;
    """
    long = lambda a, b: ((b << 64) + a) + sign * ((a << 64) + b)
    cases.append(Case(f"{carry_opcode}_u64", ["u64", "u64"], rows, [
        Out("u64", f"{opcode}.cc.u64", lambda a, b: n.cut(long(a, b), 64)),
        Out("u64", f"{carry_opcode}.cc.u64", lambda a, b: n.cut(long(a, b) >> 64, 64)),
        Out("u64", f"{carry_opcode}.u64", lambda a, b: n.cut(long(a, b) >> 128, 64)),
    ], wide, registers))
    signed = f"""
        {opcode}.cc.s32 %d0, %a, %b;
        {carry_opcode}.s32 %d1, %b, %a;
    """
    both = lambda a, b: ((b << 32) + a) + sign * ((a << 32) + b)
    cases.append(Case(f"{carry_opcode}_s32", ["s32", "s32"], pairs(edges("s32")), [
        Out("s32", f"{opcode}.cc.s32", lambda a, b: n.cut(both(a, b), 32)),
        Out("s32", f"{carry_opcode}.s32", lambda a, b: n.cut(both(a, b) >> 32, 32)),
    ], signed))
    # The carry survives lanes that are off and instructions that do not set it.
    guarded = f"""
        {opcode}.cc.u32 %d0, %a, %b;
        setp.lt.u32 %p, %a, %b;
        @%p {opcode}.cc.u32 %d0, %b, %a;
        {carry_opcode}.u32 %d1, 0, 0;
    """

    def after(a, b):
        first, second = (b, a) if a < b else (a, b)
        return n.cut((first + sign * second) >> 32, 32)

    cases.append(Case(f"{carry_opcode}_guarded", ["u32", "u32"], pairs(edges("u32")), [
        Out("u32", f"{opcode}.cc.u32", lambda a, b: n.cut(
            (max(a, b) + sign * min(a, b)), 32)),
        Out("u32", f"{carry_opcode}.u32", after),
    ], guarded))
    return cases


def madc():
    """A 64 by 64 bit product of 128 bits, from 32-bit halves, as compilers write it."""
    rows, low, split, registers = carry_add()
    body = split + """
        mul.lo.u32 %x0, %a0, %b0;
        mul.hi.u32 %x1, %a0, %b0;
        mad.lo.cc.u32 %x1, %a0, %b1, %x1;
        madc.hi.u32 %x2, %a0, %b1, 0;
        mad.lo.cc.u32 %x1, %a1, %b0, %x1;
        madc.hi.cc.u32 %x2, %a1, %b0, %x2;
        addc.u32 %x3, 0, 0;
        mad.lo.cc.u32 %x2, %a1, %b1, %x2;
        madc.hi.u32 %x3, %a1, %b1, %x3;
        mov.b64 %d0, {%x0, %x1};
        mov.b64 %d1, {%x2, %x3};
    """
    more = [(0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF00000001), (0xDEADBEEFCAFEBABE, 0xFEEDFACE8BADF00D)]
    cases = [Case("product_of_128_bits", ["u64", "u64"], rows + more, [
        Out("u64", "mad.lo.cc.u32", lambda a, b: n.cut(a * b, 64)),
        Out("u64", "madc.hi.u32", lambda a, b: n.cut(a * b >> 64, 64)),
    ], body, registers + "\n.reg .b32 %x3;")]
    values = [0, 1, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF]
    triples = [(a, b, c) for a in values for b in values for c in values]
    for t in ("u32", "s32"):
        def parts(a, b, c, t=t):
            product = n.number(a, t) * n.number(b, t)
            low = n.cut(product, 32) + c
            high = n.cut(product >> 32, 32) + c + (low >> 32)
            return n.cut(low, 32), n.cut(high, 32), high >> 32
        body = f"""
            mad.lo.cc.{t} %d0, %a, %b, %c;
            madc.hi.cc.{t} %d1, %a, %b, %c;
            addc.u32 %d2, 0, 0;
            mad.hi.cc.{t} %d3, %a, %b, %c;
            madc.lo.cc.{t} %d4, %a, %b, %c;
            addc.u32 %d5, 0, 0;
            add.cc.u32 %d6, %a, %b;
            madc.lo.{t} %d6, %a, %b, %c;
        """

        def other(a, b, c, t=t):
            product = n.number(a, t) * n.number(b, t)
            high = n.cut(product >> 32, 32) + c
            low = n.cut(product, 32) + c + (high >> 32)
            return n.cut(high, 32), n.cut(low, 32), low >> 32
        cases.append(Case(f"madc_{t}", [t, t, t], triples, [
            Out(t, f"mad.lo.cc.{t}", lambda *v, f=parts: f(*v)[0]),
            Out(t, f"madc.hi.cc.{t}", lambda *v, f=parts: f(*v)[1]),
            Out("u32", "addc.u32", lambda *v, f=parts: f(*v)[2]),
            Out(t, f"mad.hi.cc.{t}", lambda *v, f=other: f(*v)[0]),
            Out(t, f"madc.lo.cc.{t}", lambda *v, f=other: f(*v)[1]),
            Out("u32", "addc.u32", lambda *v, f=other: f(*v)[2]),
            Out(t, f"madc.lo.{t}", lambda a, b, c: n.cut(a * b + c + (a + b >> 32), 32)),
        ], body))
    return cases


def add():
    saturating = [Case("add_sat_s32", ["s32", "s32"], pairs(edges("s32")), [
        op("s32", "add.sat.s32 %d, %a, %b;",
           lambda a, b: n.cut(n.clamp(n.number(a, "s32") + n.number(b, "s32"), 32), 32))])]
    return binary("add", ALL, lambda a, b: a + b) + saturating + immediates() + float_cases("add")


def sub():
    saturating = [Case("sub_sat_s32", ["s32", "s32"], pairs(edges("s32")), [
        op("s32", "sub.sat.s32 %d, %a, %b;",
           lambda a, b: n.cut(n.clamp(n.number(a, "s32") - n.number(b, "s32"), 32), 32))])]
    return binary("sub", ALL, lambda a, b: a - b) + saturating + float_cases("sub")


def wide(t):
    return t[0] + str(2 * n.width(t))


def mul():
    cases = binary("mul", ALL, lambda a, b: a * b, modifier=".lo")
    for t in ALL:
        bits = n.width(t)
        cases += binary("mul", [t], lambda a, b, bits=bits: a * b >> bits, modifier=".hi")
    for t in ALL[:4]:
        cases.append(Case(f"mul_wide_{t}", [t, t], pairs(edges(t)), [op(wide(t), f"mul.wide.{t} %d, %a, %b;",
            lambda a, b, t=t: n.cut(n.number(a, t) * n.number(b, t), 2 * n.width(t)))]))
    return cases + float_cases("mul")


def mad():
    cases = []
    for t in ALL:
        bits = n.width(t)
        values = [0, 1, (1 << bits) - 1, 1 << (bits - 1), 0x1234]
        triples = [(a, b, c) for a in values for b in values for c in values[1:4]]
        cases.append(Case(f"mad_{t}", [t, t, t], triples, [
            op(t, f"mad.lo.{t} %d, %a, %b, %c;", by_number(t, lambda a, b, c: a * b + c)),
            op(t, f"mad.hi.{t} %d, %a, %b, %c;", by_number(t, lambda a, b, c, bits=bits: (a * b >> bits) + c)),
        ]))
        if bits < 64:
            w = wide(t)
            triples = [(a, b, c) for a in values for b in values for c in (1, (1 << 2 * bits) - 1)]
            cases.append(Case(f"mad_wide_{t}", [t, t, w], triples, [op(w, f"mad.wide.{t} %d, %a, %b, %c;",
                lambda a, b, c, t=t: n.cut(n.number(a, t) * n.number(b, t) + c, 2 * n.width(t)))]))
    cases.append(Case("mad_hi_sat_s32", ["s32"] * 3,
        [(a, a, c) for a in edges("s32") for c in edges("s32")],
        [op("s32", "mad.hi.sat.s32 %d, %a, %b, %c;", lambda a, b, c: n.cut(n.clamp(
            (n.number(a, "s32") * n.number(b, "s32") >> 32) + n.number(c, "s32"), 32), 32))]))
    return cases + float_cases("mad")


def div():
    return binary("div", ALL, n.quotient, divisible) + float_cases("div")


def sad():
    cases = []
    for t in ALL:
        rows = [(a, b, c) for a, b in pairs(edges(t)) for c in (0, 1)]
        cases.append(Case(f"sad_{t}", [t, t, t], rows,
                          [op(t, f"sad.{t} %d, %a, %b, %c;", by_number(t, lambda a, b, c: c + abs(a - b)))]))
    return cases


def twenty_four(opcode):
    cases = []
    for t in ("u32", "s32"):
        low = lambda a, t=t: n.signed(a, 24) if t == "s32" else n.cut(a, 24)
        ins = [t] * (2 if opcode == "mul24" else 3)
        add = (lambda c: c[0]) if opcode == "mad24" else (lambda c: 0)
        rows = [row + ((0xFFFFFFF0,) if opcode == "mad24" else ())
                for row in pairs([0, 1, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x01FFFFFF, 0x89ABCDEF])]
        operands = "%a, %b" + (", %c" if opcode == "mad24" else "")
        cases.append(Case(f"{opcode}_{t}", ins, rows, [
            op(t, f"{opcode}.lo.{t} %d, {operands};", lambda a, b, *c, f=low: n.cut(f(a) * f(b) + add(c), 32)),
            op(t, f"{opcode}.hi.{t} %d, {operands};",
               lambda a, b, *c, f=low: n.cut((f(a) * f(b) >> 16) + add(c), 32)),
        ]))
    if opcode == "mad24":
        low = lambda a: n.signed(a, 24)
        rows = [row + (c,) for row in pairs([0x7FFFFF, 0x800000, 0x89ABCDEF]) for c in (0x7FFFFF00, 0x80000001, 5)]
        cases.append(Case("mad24_saturated", ["s32"] * 3, rows, [op("s32", "mad24.hi.sat.s32 %d, %a, %b, %c;", lambda a, b, c:
            n.cut(n.clamp((low(a) * low(b) >> 16) + n.signed(c, 32), 32), 32))]))
    return cases


def dot(opcode, halves):
    values = [0, 0x01020304, 0xFF80017F, 0x80808080, 0xFFFFFFFF]
    rows = [(a, b, c) for a in values for b in values for c in (0, 0xFFFFFFFF)]
    cases = []
    for at in ("u32", "s32"):
        for bt in ("u32", "s32"):
            result = "s32" if "s32" in (at, bt) else "u32"
            outs = [op(result, f"{opcode}{half}.{at}.{bt} %d, %a, %b, %c;",
                       lambda a, b, c, at=at, bt=bt, half=half:
                       n.dot2(a, b, c, at, bt, half[1:]) if half else n.dot4(a, b, c, at, bt)) for half in halves]
            cases.append(Case(f"{opcode}_{at}_{bt}", [at, bt, result], rows, outs))
    return cases


def relu_halves(opcode, function):
    """min and max of s32 and of pairs of s16, whose negative results are 0."""
    values = [0, 0x00010001, 0x7FFF8000, 0x8000FFFF, 0xFFFF7FFF, 0x12349ABC]
    both = lambda a, b: n.join([max(0, function(p, q)) for p, q in zip(n.lanes_of(a, 16, True), n.lanes_of(b, 16, True))], 16)
    return [Case(f"{opcode}_relu", ["b32", "b32"], pairs(values), [
        op("b32", f"{opcode}.relu.s16x2 %d, %a, %b;", both),
        op("b32", f"{opcode}.relu.s32 %d, %a, %b;", lambda a, b: max(0, function(n.signed(a, 32), n.signed(b, 32))))])]


def pair_halves(opcode, function):
    """u16x2 and s16x2: two results side by side."""
    cases = []
    types = ["u16x2", "s16x2"]
    values = [0, 0x00010001, 0x7FFF8000, 0x8000FFFF, 0xFFFF7FFF, 0x12349ABC]
    for t in types:
        run = lambda a, b, t=t: n.join(
            [function(p, q) for p, q in zip(n.lanes_of(a, 16, t[0] == "s"), n.lanes_of(b, 16, t[0] == "s"))], 16)
        cases.append(Case(f"{opcode}_{t}", ["b32", "b32"], pairs(values), [op("b32", f"{opcode}.{t} %d, %a, %b;", run)]))
    return cases


FILES = {
    "add": ("add: integers of every width, saturation, immediates, floating point in every rounding",
            lambda: add() + pair_halves("add", lambda a, b: a + b)),
    "sub": ("sub: integers of every width, saturation, floating point in every rounding", sub),
    "mul": ("mul: low, high and wide products, floating point in every rounding", mul),
    "mad": ("mad: low, high and wide products with a sum, saturation, floating point", mad),
    "div": ("div: integers, which cut toward zero; floating point exact, full and approximate", div),
    "rem": ("rem: the sign is the dividend's", lambda: binary("rem", ALL, n.remainder, divisible)),
    "min": ("min: signed, unsigned, pairs; floating point with NaN, signed zero, .NaN, .ftz",
            lambda: binary("min", ALL, min) + pair_halves("min", min) + relu_halves("min", min) + float_cases("min")),
    "max": ("max: signed, unsigned, pairs; floating point with NaN, signed zero, .NaN, .ftz",
            lambda: binary("max", ALL, max) + pair_halves("max", max) + relu_halves("max", max) + float_cases("max")),
    "neg": ("neg: the most negative integer stays; floating point flips the sign",
            lambda: unary("neg", ["s16", "s32", "s64"], lambda a: -a) + float_cases("neg")),
    "abs": ("abs: the most negative integer stays; floating point clears the sign",
            lambda: unary("abs", ["s16", "s32", "s64"], abs) + float_cases("abs")),
    "sad": ("sad: sum of absolute differences", sad),
    "mul24": ("mul24: products of the lowest 24 bits", lambda: twenty_four("mul24")),
    "mad24": ("mad24: products of the lowest 24 bits, and a sum", lambda: twenty_four("mad24")),
    "addc": ("addc: carry chains", lambda: chain("add", "addc", 1)),
    "subc": ("subc: borrow chains", lambda: chain("sub", "subc", -1)),
    "madc": ("madc: carry chains of products", madc),
    "dp4a": ("dp4a: four products of bytes and a sum, of every mixture of signs", lambda: dot("dp4a", [""])),
    "dp2a": ("dp2a: two products of halves and bytes, and a sum", lambda: dot("dp2a", [".lo", ".hi"])),
}
