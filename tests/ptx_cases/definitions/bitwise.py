"""and … fns: logic, shifts, bit fields and bit counts."""
import integers as n
from case_file import Case, Out, op
from definitions.operands import EDGES, edges, pairs, singles

LOGIC = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}
SHIFTS = [0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0x80000000, 0xFFFFFFFF]


def logic(opcode):
    f = LOGIC[opcode]
    cases = [Case(f"{opcode}_{t}", [t, t], pairs(edges(t)), [
        op(t, f"{opcode}.{t} %d, %a, %b;", f),
        op(t, f"{opcode}.{t} %d, %a, -16;", lambda a, b, bits=n.width(t): f(a, (1 << bits) - 16)),
    ]) for t in ("b16", "b32", "b64")]
    text = f"""
        setp.ne.u32 %p, %a, 0;
        setp.ne.u32 %q, %b, 0;
        {opcode}.pred %s, %p, %q;
        selp.u32 %d, 1, 0, %s;
    """
    return cases + [Case(f"{opcode}_pred", ["u32", "u32"], pairs([0, 1]), [Out("u32", f"{opcode}.pred", f, text)])]


def invert():
    cases = [Case(f"not_{t}", [t], singles(t), [op(t, f"not.{t} %d, %a;", lambda a, bits=n.width(t): n.cut(~a, bits))])
             for t in ("b16", "b32", "b64")]
    text = "setp.ne.u32 %p, %a, 0;\nnot.pred %q, %p;\nselp.u32 %d, 1, 0, %q;"
    return cases + [Case("not_pred", ["u32"], [(0,), (1,)], [Out("u32", "not.pred", lambda a: 1 - a, text)])]


def cnot():
    return [Case(f"cnot_{t}", [t], singles(t), [op(t, f"cnot.{t} %d, %a;", lambda a: int(a == 0))])
            for t in ("b16", "b32", "b64")]


def shift_rows(t):
    values = [1, EDGES[n.width(t)][3], (1 << n.width(t)) - 1, EDGES[n.width(t)][5]]
    return [(a, s) for a in values for s in SHIFTS]


def shl():
    cases = [Case(f"shl_{t}", [t, "u32"], shift_rows(t), [
        op(t, f"shl.{t} %d, %a, %b;", lambda a, s, bits=n.width(t): n.shift_left(a, s, bits)),
        op(t, f"shl.{t} %d, %a, 5;", lambda a, s, bits=n.width(t): n.shift_left(a, 5, bits)),
    ]) for t in ("b16", "b32", "b64")]
    return cases


def shr():
    return [Case(f"shr_{t}", [t, "u32"], shift_rows(t), [
        op(t, f"shr.{t} %d, %a, %b;", lambda a, s, t=t: n.shift_right(a, s, t)),
        op(t, f"shr.{t} %d, %a, 5;", lambda a, s, t=t: n.shift_right(a, 5, t)),
    ]) for t in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64")]


def shf():
    rows = [(a, b, s) for a, b in [(0x80000001, 0x12345678), (0xFFFFFFFF, 0), (0, 0xFFFFFFFF)] for s in SHIFTS]
    outs = [op("b32", f"shf.{d}.{m}.b32 %d, %a, %b, %c;", lambda a, b, s, d=d, m=m: n.funnel(a, b, s, d, m))
            for d in "lr" for m in ("wrap", "clamp")]
    return [Case("shf_b32", ["b32", "b32", "u32"], rows, outs)]


def lop3():
    rows = [(0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA), (0x12345678, 0x9ABCDEF0, 0x0FEDCBA9)]
    rows += [(a, b, c) for a in (0, 0xFFFFFFFF) for b in (0, 0xFFFFFFFF) for c in (0, 0xFFFFFFFF)]
    # Constants, the operands, their inverses, and, or, xor of three, majority, select, and others.
    tables = [0x00, 0xFF, 0xF0, 0xCC, 0xAA, 0x0F, 0x33, 0x55, 0x80, 0xFE, 0x96, 0xE8, 0xCA, 0xD8, 0x1A, 0x6A, 0x78, 0x40, 0x01,
              0x7F, 0x3C, 0xF8, 0xEA, 0x2D]
    outs = [op("b32", f"lop3.b32 %d, %a, %b, %c, 0x{t:02X};", lambda a, b, c, t=t: n.truth_table(a, b, c, t))
            for t in tables]
    cases = [Case("lop3_b32", ["b32"] * 3, rows, outs)]
    table = lambda a, b, c: n.truth_table(a, b, c, 0x80)  # a & b & c
    body = """
        and.b32 %x, %a, 1;
        setp.ne.u32 %q, %x, 0;
        lop3.and.b32 %d0|%p, %a, %b, %c, 0x80, %q;
        selp.u32 %d1, 1, 0, %p;
        lop3.or.b32 _|%p, %a, %b, %c, 0x80, !%q;
        selp.u32 %d2, 1, 0, %p;
        mov.b32 %x, %a;
        lop3.or.b32 %x|%q, %x, %b, %c, 0x80, %q;
        selp.u32 %d3, %x, 77, %q;
    """
    few = [(a, b, c) for a in (0, 1, 6, 0xFFFFFFFF) for b in (0, 3, 0x80000000) for c in (1, 0xFFFFFFFE)]
    cases.append(Case("lop3_predicate", ["b32"] * 3, few, [
        Out("b32", "lop3.and.b32", table),
        Out("u32", "lop3.and.b32 |p", lambda a, b, c: int(table(a, b, c) != 0 and a & 1 == 1)),
        Out("u32", "lop3.or.b32 _|p !q", lambda a, b, c: int(table(a, b, c) != 0 or a & 1 == 0)),
        Out("b32", "lop3.or.b32 x|q, x", lambda a, b, c: table(a, b, c) if table(a, b, c) or a & 1 else 77)],
        body, ".reg .b32 %x;"))
    return cases


FIELDS = [(0, 0), (0, 1), (4, 8), (0, 32), (31, 1), (31, 2), (32, 1), (16, 32), (0, 64), (63, 1), (60, 8), (64, 4),
          (0, 255), (255, 255), (256, 4), (4, 256 + 8), (40, 20), (5, 0)]


def bfi():
    return [Case(f"bfi_{t}", [t, t, "u32", "u32"],
                 [(a, b, p, l) for a, b in [(0xA5, EDGES[n.width(t)][5]), ((1 << n.width(t)) - 1, 0)] for p, l in FIELDS],
                 [op(t, f"bfi.{t} %d, %a, %b, %c, %e;", lambda *v, bits=n.width(t): n.insert(*v, bits))])
            for t in ("b32", "b64")]


def bfe():
    return [Case(f"bfe_{t}", [t, "u32", "u32"],
                 [(a, p, l) for a in (EDGES[n.width(t)][5], 1 << (n.width(t) - 1), 0x90) for p, l in FIELDS],
                 [op(t, f"bfe.{t} %d, %a, %b, %c;", lambda *v, t=t: n.extract(*v, t))])
            for t in ("u32", "s32", "u64", "s64")]


def bmsk():
    rows = [(a, b) for a in (0, 1, 8, 31, 32, 33, 0xFFFFFFFF) for b in (0, 1, 8, 24, 31, 32, 33, 0xFFFFFFFF)]
    return [Case("bmsk_b32", ["b32", "b32"], rows, [
        op("b32", f"bmsk.{m}.b32 %d, %a, %b;", lambda a, b, m=m: n.mask_of_bits(a, b, m)) for m in ("clamp", "wrap")])]


def szext():
    rows = [(a, b) for a in (0x89ABCDEF, 0x80, 0xFFFFFFFF) for b in (0, 1, 7, 8, 9, 31, 32, 33, 0xFFFFFFFF)]
    return [Case(f"szext_{t}", [t, "u32"], rows, [
        op(t, f"szext.{m}.{t} %d, %a, %b;", lambda a, b, m=m, t=t: n.extend_size(a, b, t, m)) for m in ("clamp", "wrap")])
        for t in ("u32", "s32")]


def counts(opcode, function, result=None):
    return [Case(f"{opcode}_{t}", [t], singles(t) + [(0x10,), (0x00F0000F,), (0x0F000000,)],
                 [op(result or t, f"{opcode}.{t} %d, %a;", lambda a, bits=n.width(t): function(a, bits))])
            for t in ("b32", "b64")]


def bfind():
    return [Case(f"bfind_{t}", [t], singles(t) + [(0x10,), (0x00F0000F,), (n.cut(-16, n.width(t)),)], [
        op("u32", f"bfind.{t} %d, %a;", lambda a, t=t: n.find(a, t)),
        op("u32", f"bfind.shiftamt.{t} %d, %a;", lambda a, t=t: n.find_shift(a, t)),
    ]) for t in ("u32", "s32", "u64", "s64")]


def fns():
    rows = [(m, b, o) for m in (0x0000F0F1, 0xFFFFFFFF, 0, 0x80000001) for b in (0, 4, 15, 31)
            for o in (0, 1, 2, 0xFFFFFFFF, 0xFFFFFFFE)]
    return [Case("fns_b32", ["b32", "b32", "b32"], rows, [op("b32", "fns.b32 %d, %a, %b, %c;", n.nth_set)])]


def prmt():
    words = [(0x33221100, 0x77665544), (0xB3A29180, 0x7F6E8D0C)]
    selectors = [0x3210, 0x7654, 0x0123, 0x4567, 0x0000, 0x8888, 0xFEDC, 0xBA98, 0x1054, 0xF0E1, 0xFFFF3210]
    cases = [Case("prmt_b32", ["b32"] * 3, [(a, b, c) for a, b in words for c in selectors],
                  [op("b32", "prmt.b32 %d, %a, %b, %c;", n.permute),
                   op("b32", "prmt.b32 %d, %a, %b, 0x5410;", lambda a, b, c: n.permute(a, b, 0x5410))])]
    cases.append(Case("prmt_modes", ["b32"] * 3, [(a, b, c) for a, b in words for c in (0, 1, 2, 3, 4, 0xFFFFFFFF)],
                      [op("b32", f"prmt.b32.{m} %d, %a, %b, %c;",
                          lambda a, b, c, m=m: n.permute_mode(a, b, c, m)) for m in n.PERMUTE_MODES]))
    return cases


FILES = {
    "and": ("and: predicates and bits of 16, 32 and 64", lambda: logic("and")),
    "or": ("or: predicates and bits of 16, 32 and 64", lambda: logic("or")),
    "xor": ("xor: predicates and bits of 16, 32 and 64", lambda: logic("xor")),
    "not": ("not: predicates and bits of 16, 32 and 64", invert),
    "cnot": ("cnot: 1 for zero, otherwise 0", cnot),
    "shl": ("shl: amounts past the width give 0", shl),
    "shr": ("shr: amounts past the width give 0 or copies of the sign", shr),
    "shf": ("shf: funnel shifts in both directions, wrapping and clamping", shf),
    "lop3": ("lop3: truth tables of three inputs", lop3),
    "bfi": ("bfi: insert a bit field, also over the edge and outside", bfi),
    "bfe": ("bfe: extract a bit field, also over the edge and outside", bfe),
    "bmsk": ("bmsk: a run of ones, clamped and wrapped", bmsk),
    "szext": ("szext: keep the lowest bits and extend them", szext),
    "popc": ("popc: number of ones", lambda: counts("popc", lambda a, bits: bin(a).count("1"), "u32")),
    "clz": ("clz: leading zeros, the width for zero", lambda: counts("clz", n.leading_zeros, "u32")),
    "brev": ("brev: bits in reverse", lambda: counts("brev", n.reverse)),
    "bfind": ("bfind: the highest bit that is no sign, all ones when there is none", bfind),
    "fns": ("fns: the n-th set bit from a base", fns),
    "prmt": ("prmt: bytes picked from two words, with sign replication and the special modes", prmt),
}
