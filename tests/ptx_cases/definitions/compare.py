"""setp, set, selp, slct and mov."""
import expected as x
import integers as n
from case_file import Case, Out, op
from definitions.float_arithmetic import FORMATS
from definitions.operands import edges, float_edges, float_pairs, pairs

EQUALITY = ["eq", "ne"]
ORDER = EQUALITY + ["lt", "le", "gt", "ge"]
UNSIGNED = ORDER + ["lo", "ls", "hi", "hs"]
FLOATING = ORDER + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
AS_NUMBER = "selp.u32 %d, 1, 0, %p;"


def comparisons(t):
    return {"b": EQUALITY, "s": ORDER, "u": UNSIGNED}[t[0]]


def integer_truth(t, word):
    kind = t if t[0] in "su" else "u" + t[1:]
    return lambda a, b, *_: int(n.compare(word, n.number(a, kind), n.number(b, kind)))


def small_float_rows(t):
    f = FORMATS[t]
    return float_pairs(f, [(1.5, 2.5), (-1.5, -2.5), (-1.5, 1.5)])[:: 1 if f.bits > 16 else 2]


def setp():
    cases = []
    for t in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"):
        outs = [op("u32", f"setp.{word}.{t} %p, %a, %b;\n{AS_NUMBER}", integer_truth(t, word)) for word in comparisons(t)]
        cases.append(Case(f"setp_{t}", [t, t], pairs(edges(t)), outs))
    for t in ("f32", "f64", "f16", "bf16"):
        f = FORMATS[t]
        outs = [op("u32", f"setp.{word}.{t} %p, %a, %b;\n{AS_NUMBER}",
                   lambda a, b, word=word, f=f: int(x.compare(f, word, a, b))) for word in FLOATING]
        if t in ("f32", "f16"):
            outs += [op("u32", f"setp.{word}.ftz.{t} %p, %a, %b;\n{AS_NUMBER}",
                        lambda a, b, word=word, f=f: int(x.compare(f, word, a, b, True))) for word in ("eq", "lt", "geu")]
        cases.append(Case(f"setp_{t}", [t, t], small_float_rows(t), outs))
    cases += [setp_of_halves("f16"), setp_of_halves("bf16"), setp_immediate()]
    return cases + setp_pairs()


def setp_of_halves(t):
    """%p is the lower half's answer, %q the upper's."""
    f = FORMATS[t]
    rows = [(a | b << 16, b | a << 16) for a, b in small_float_rows(t)]
    outs = []
    for word in ("eq", "lt", "geu", "nan"):
        def both(a, b, word=word):
            low, high = (x.compare(f, word, a >> s & 0xFFFF, b >> s & 0xFFFF) for s in (0, 16))
            return int(low) | int(high) << 1
        outs.append(op("u32", f"setp.{word}.{t}x2 %p|%q, %a, %b;\n" + both_predicates(), both))
    return Case(f"setp_{t}x2", [t + "x2"] * 2, rows, outs)


def both_predicates():
    return "selp.u32 %d, 1, 0, %p;\n@%q add.u32 %d, %d, 2;"


def setp_immediate():
    rows = [(a,) for a in edges("s32")] + [(5,)]
    f = x.F32
    return Case("setp_immediate", ["s32"], rows, [
        op("u32", f"setp.lt.s32 %p, %a, -1;\n{AS_NUMBER}", lambda a: int(n.number(a, "s32") < -1)),
        op("u32", f"setp.gt.u32 %p, %a, 4;\n{AS_NUMBER}", lambda a: int(a > 4)),
        op("u32", f"setp.eq.s32 %p, 5, %a;\n{AS_NUMBER}", lambda a: int(a == 5)),
        op("u32", "cvt.rn.f32.s32 %f, %a;\nsetp.ge.f32 %p, %f, 0f40A00000;\n" + AS_NUMBER,
           lambda a: int(n.number(a, "s32") >= 5)),
    ], registers=".reg .f32 %f;")


def setp_pairs():
    """p = (a ? b) op c and q = !(a ? b) op c, with c plain and negated."""
    boolean = {"and": lambda p, c: p & c, "or": lambda p, c: p | c, "xor": lambda p, c: p ^ c}
    cases = []
    for t, word, truth in (
        ("s32", "lt", integer_truth("s32", "lt")), ("u64", "ge", integer_truth("u64", "ge")),
        ("f32", "gtu", lambda a, b, *_: int(x.compare(x.F32, "gtu", a, b))),
    ):
        few = edges(t)[:5] if t[0] != "f" else [0, x.F32.one, x.F32.inf, x.F32.nan]
        rows = [(a, b, c) for a, b in pairs(few) for c in (0, 1)]
        setup = "setp.ne.u32 %s, %c, 0;\n"
        outs = [op("u32", f"setp.{word}.{t} %p|%q, %a, %b;\n" + both_predicates(),
                   lambda *v, truth=truth: 1 if truth(*v) else 2)]
        for name, combine in boolean.items():
            for negated in (False, True):
                def both(a, b, c, combine=combine, negated=negated, truth=truth):
                    p, c = truth(a, b), (1 - c if negated else c)
                    return combine(p, c) | combine(1 - p, c) << 1
                source = "!%s" if negated else "%s"
                outs.append(Out("u32", f"setp.{word}.{name}.{t} {source}", both,
                                f"{setup}setp.{word}.{name}.{t} %p|%q, %a, %b, {source};\n" + both_predicates()))
        outs.append(Out("u32", f"setp.{word}.and.{t}", lambda a, b, c, truth=truth: truth(a, b) & c,
                        f"{setup}setp.{word}.and.{t} %p, %a, %b, %s;\n{AS_NUMBER}"))
        cases.append(Case(f"setp_pair_{t}", [t, t, "u32"], rows, outs))
    return cases


def set_():
    """The result is all ones or 0 for an integer type, 1.0 or 0.0 for a floating one."""
    true = {"u32": 0xFFFFFFFF, "s32": 0xFFFFFFFF, "f32": x.F32.one, "f16": x.F16.one, "bf16": x.BF16.one}
    cases = []
    for source in ("s32", "u32", "s16", "u64", "f32", "f64"):
        floating = source[0] == "f"
        outs = []
        for word in ("eq", "lt", "geu") if floating else ("eq", "lt", "ge"):
            truth = ((lambda a, b, w=word, f=FORMATS.get(source): x.compare(f, w, a, b)) if floating
                     else integer_truth(source, word))
            outs += [op(d, f"set.{word}.{d}.{source} %d, %a, %b;",
                        lambda a, b, d=d, truth=truth: true[d] if truth(a, b) else 0) for d in ("u32", "s32", "f32")]
        rows = small_float_rows(source) if floating else pairs(edges(source))
        cases.append(Case(f"set_{source}", [source, source], rows, outs))
    for t in ("f16", "bf16"):
        f = FORMATS[t]
        outs = [op(t, f"set.{word}.{t}.{t} %d, %a, %b;",
                   lambda a, b, word=word, f=f: f.one if x.compare(f, word, a, b) else 0) for word in ("eq", "neu", "lt")]
        cases.append(Case(f"set_{t}", [t, t], small_float_rows(t), outs))

        def halves(a, b, f=f):
            return sum((f.one if x.compare(f, "eq", a >> s & 0xFFFF, b >> s & 0xFFFF) else 0) << s for s in (0, 16))
        rows = [(a | b << 16, b | a << 16) for a, b in small_float_rows(t)]
        cases.append(Case(f"set_{t}x2", [t + "x2"] * 2, rows, [op(t + "x2", f"set.eq.{t}x2.{t}x2 %d, %a, %b;", halves)]))
    rows = [(a, b, c) for a, b in pairs(edges("s32")[:5]) for c in (0, 1)]
    combined = [Out("u32", f"set.lt.{name}.u32.s32", lambda a, b, c, g=g: 0xFFFFFFFF if g(
        n.number(a, "s32") < n.number(b, "s32"), bool(c)) else 0,
        f"setp.ne.u32 %s, %c, 0;\nset.lt.{name}.u32.s32 %d, %a, %b, %s;")
        for name, g in (("and", lambda p, c: p and c), ("or", lambda p, c: p or c), ("xor", lambda p, c: p != c))]
    return cases + [Case("set_combined", ["s32", "s32", "u32"], rows, combined)]


def some(t):
    if t in FORMATS:
        return float_edges(FORMATS[t])
    return edges(t)


def selp():
    cases = []
    for t in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"):
        values = some(t)
        rows = [(a, b, c) for a, b in zip(values, values[1:]) for c in (0, 1)]
        cases.append(Case(f"selp_{t}", [t, t, "u32"], rows, [
            op(t, f"selp.{t} %d, %a, %b, %p;", lambda a, b, c: a if c else b)], body="setp.ne.u32 %p, %c, 0;"))
    constants = [
        op("u32", "selp.u32 %d, 7, -1, %p;", lambda c: 7 if c else 0xFFFFFFFF),
        op("f32", "selp.f32 %d, 0f3F800000, 0fBF800000, %p;", lambda c: x.F32.one if c else x.F32.one | x.F32.sign),
        op("f64", "selp.f64 %d, 0d3FF0000000000000, 0d0000000000000000, %p;", lambda c: x.F64.one if c else 0),
        op("b64", "selp.b64 %d, 1, -2, %p;", lambda c: 1 if c else (1 << 64) - 2),
    ]
    return cases + [Case("selp_immediate", ["u32"], [(0,), (1,)], constants, body="setp.ne.u32 %p, %a, 0;")]


def slct():
    cases = []
    for t in ("b16", "b32", "u32", "s32", "b64", "f32", "f64"):
        first, second = some(t)[1:3]
        rows = [(first, second, c) for c in edges("s32")]
        cases.append(Case(f"slct_{t}_s32", [t, t, "s32"], rows, [
            op(t, f"slct.{t}.s32 %d, %a, %b, %c;", lambda a, b, c: a if n.number(c, "s32") >= 0 else b)]))
        f = x.F32
        rows = [(first, second, c) for c in float_edges(f)]
        chosen = lambda a, b, c, ftz=False: a if x.compare(f, "ge", c, 0, ftz) else b
        cases.append(Case(f"slct_{t}_f32", [t, t, "f32"], rows, [
            op(t, f"slct.{t}.f32 %d, %a, %b, %c;", chosen),
            op(t, f"slct.ftz.{t}.f32 %d, %a, %b, %c;", lambda a, b, c, g=chosen: g(a, b, c, True)),
        ]))
    return cases


FILES = {
    "setp": ("setp: every comparison and type, two results, boolean combination", setp),
    "set": ("set: a comparison as a number", set_),
    "selp": ("selp: one of two by a predicate", selp),
    "slct": ("slct: one of two by a sign", slct),
}
