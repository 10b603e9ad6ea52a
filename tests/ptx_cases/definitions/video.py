"""The video instructions: an operation on parts of registers, clamped, merged or accumulated."""
import integers as n
from case_file import Case, Out

WORDS = [0, 0x01020304, 0xFF80017F, 0x80808080, 0xFFFFFFFF, 0x7F017F01, 0x80000000, 0x7FFFFFFF, 0xFFFF8001]
ROWS = [(a, b, WORDS[(i + 2 * j) % len(WORDS)]) for i, a in enumerate(WORDS) for j, b in enumerate(WORDS)][::2]

OPERATIONS = {"vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b, "vabsdiff": lambda a, b: abs(a - b),
              "vmin": min, "vmax": max, "vavrg": lambda a, b: (a + b + 1) // 2 if a + b >= 0 else (a + b) // 2}
COMPARISONS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
               "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}


def bounds(bits, is_signed):
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)


def clamp(x, bits, is_signed):
    low, high = bounds(bits, is_signed)
    return min(max(x, low), high)


def op(type_name, code, value):
    """The label names the parts as well."""
    word, operands = code.rstrip(";").split(" ", 1)
    parts = "".join(" " + name[1] + name[2:] for name in operands.replace("-", "").split(", ") if "." in name)
    minus = "".join(" -" + name[2] for name in operands.split(", ") if name[0] == "-")
    return Out(type_name, word + parts + minus, value, code)


# ---- scalar ---------------------------------------------------------------------------------------------


def part(name):
    """(bits, lowest bit) of "", ".b2", ".h1"."""
    if not name:
        return 32, 0
    bits = 8 if name[1] == "b" else 16
    return bits, bits * int(name[2])


def take(word, name, type_name):
    bits, low = part(name)
    field = word >> low & (1 << bits) - 1
    return n.signed(field, bits) if type_name == "s32" else field


def finish(x, c, second, d_part):
    """Added to c or merged into it."""
    bits, low = part(d_part)
    if not d_part:
        return n.cut(x + c if second else x, 32)
    return c & ~(((1 << bits) - 1) << low) & 0xFFFFFFFF | n.cut(x, bits) << low


def spelled(opcode, types, words):
    return ".".join([opcode] + types + [w for w in words if w])


def scalar(opcode, types, operation, forms, tail=""):
    """`types`: of d, a, b; `forms`: (second operation, part of d, of a, of b)."""
    outs = []
    for second, d_part, a_part, b_part in forms:
        code = spelled(opcode, types, [tail, second])
        c = ", %c" if second or d_part else ""
        outs.append(op("u32", f"{code} %d{d_part}, %a{a_part}, %b{b_part}{c};",
                       lambda a, b, c, second=second, d_part=d_part, a_part=a_part, b_part=b_part:
                       finish(operation(take(a, a_part, types[1]), take(b, b_part, types[2])), c, second, d_part)))
    return Case("_".join([opcode, *types] + ([tail] if tail else [])), ["u32"] * 3, ROWS, outs)


# What an H100 and the PTX ISA agree upon: no saturation, no minimum or maximum with c, no upper part as the destination.
FORMS = [("", "", "", ""), ("", "", ".b1", ".h1"), ("", "", ".h0", ".b3"), ("add", "", "", ".b2"), ("add", "", ".b3", ".h0"),
         ("", ".b0", ".b2", ".b3"), ("", ".h0", "", "")]
SIGNS = [["u32", "u32", "u32"], ["s32", "s32", "s32"], ["s32", "u32", "s32"], ["u32", "s32", "u32"], ["u32", "s32", "s32"]]


def arithmetic(opcode):
    return [scalar(opcode, types, OPERATIONS[opcode], FORMS) for types in SIGNS]


def shift(opcode):
    cases = []
    for types in (["u32", "u32", "u32"], ["s32", "s32", "u32"], ["u32", "s32", "u32"], ["s32", "u32", "u32"]):
        for mode in ("clamp", "wrap"):
            def run(a, b, mode=mode):
                by = b % 32 if mode == "wrap" else min(b, 32)
                return a << by if opcode == "vshl" else a >> by
            cases.append(scalar(opcode, types, run, FORMS, mode))
    amounts = [(a, b, 5) for a in WORDS for b in (0, 1, 4, 31, 32, 33, 0x2101)]
    for case in cases:
        case.rows = amounts
    return cases


def vmad():
    cases = []
    for a_type, b_type in (("u32", "u32"), ("s32", "s32"), ("u32", "s32"), ("s32", "u32")):
        outs = []
        for a_part, b_part in (("", ""), (".b3", ".h1"), (".h0", ".b0")):
            for signs in ("", "a", "b", "ab", "c", "po"):
                signed = "s32" in (a_type, b_type) or signs in ("a", "b", "c")

                def run(a, b, c, types=(a_type, b_type), a_part=a_part, b_part=b_part, signs=signs, signed=signed):
                    x = take(a, a_part, types[0]) * take(b, b_part, types[1])
                    if signs in ("a", "b"):
                        x = -x
                    third = c ^ 0xFFFFFFFF if signs == "c" else c  # one's complement, and 1 below
                    x += n.signed(third, 32) if signed else third
                    return n.cut(x + (signs in ("c", "po")), 32)
                minus = lambda name: "-" if name in signs and signs != "po" else ""
                word = spelled("vmad", ["s32" if signed else "u32", a_type, b_type], ["po" if signs == "po" else ""])
                outs.append(op("u32", f"{word} %d, {minus('a')}%a{a_part}, {minus('b')}%b{b_part}, {minus('c')}%c;", run))
        cases.append(Case(f"vmad_{a_type}_{b_type}", ["u32"] * 3, ROWS, outs))
    return cases


def vset():
    cases = []
    for a_type, b_type in (("u32", "u32"), ("s32", "s32"), ("u32", "s32"), ("s32", "u32")):
        outs = []
        for word, holds in COMPARISONS.items():
            for second, a_part, b_part in (("", "", ""), ("add", ".b1", ".h0"), ("", ".h1", ".b3")):
                code = spelled("vset", [a_type, b_type], [word, second])
                outs.append(op("u32", f"{code} %d, %a{a_part}, %b{b_part}{', %c' if second else ''};",
                               lambda a, b, c, types=(a_type, b_type), holds=holds, second=second, a_part=a_part, b_part=b_part:
                               finish(int(holds(take(a, a_part, types[0]), take(b, b_part, types[1]))), c, second, "")))
        cases.append(Case(f"vset_{a_type}_{b_type}", ["u32"] * 3, ROWS, outs))
    return cases


# ---- SIMD -----------------------------------------------------------------------------------------------


def simd(opcode, count, types, operation, suffix, d_signed, d_part="", a_part="", b_part=""):
    """One form: `count` elements; parts are written highest first."""
    bits = 32 // count
    letter = "h" if count == 2 else "b"
    choice = lambda name, first: [int(x) for x in reversed(name[2:])] if name else range(first, first + count)
    a_from, b_from, written = choice(a_part, 0), choice(b_part, count), choice(d_part, 0)

    def run(a, b, c):
        pool = n.lanes_of(a, bits, False) + n.lanes_of(b, bits, False)
        read = lambda i, type_name: n.signed(pool[i], bits) if type_name == "s32" else pool[i]
        results = {i: operation(read(a_from[i], types[-2]), read(b_from[i], types[-1])) for i in written}
        if suffix == "add":
            return n.cut(c + sum(results.values()), 32)
        if suffix == "sat":
            results = {i: clamp(r, bits, d_signed) for i, r in results.items()}
        kept = n.lanes_of(c, bits, False)
        return n.join([results.get(i, kept[i]) for i in range(count)], bits)
    assert all(not name or name[1] == letter for name in (d_part, a_part, b_part))
    return run, f"%d{d_part}, %a{a_part}, %b{b_part}, %c;"


SELECTIONS = {2: [("", "", ""), (".h1", "", ""), (".h0", ".h32", ".h01"), ("", ".h11", ".h20")],
              4: [("", "", ""), (".b2", "", ""), (".b310", ".b7531", ".b0246"), ("", ".b3333", ".b7654")]}


def simd_arithmetic(stem, count):
    opcode = f"{stem}{count}"
    cases = []
    for types in SIGNS[:2] + SIGNS[3:4]:
        outs = []
        for suffix in ("", "sat", "add"):
            for parts in SELECTIONS[count]:
                run, operands = simd(opcode, count, types, OPERATIONS[stem], suffix, types[0] == "s32", *parts)
                outs.append(op("u32", f"{spelled(opcode, types, [suffix])} {operands}", run))
        cases.append(Case("_".join([opcode, *types]), ["u32"] * 3, ROWS, outs))
    return cases


def simd_set(count):
    opcode = f"vset{count}"
    cases = []
    for types in (["u32", "u32"], ["s32", "s32"], ["u32", "s32"]):
        outs = []
        for word, holds in COMPARISONS.items():
            for suffix, parts in (("", SELECTIONS[count][0]), ("", SELECTIONS[count][2]), ("add", SELECTIONS[count][3])):
                run, operands = simd(opcode, count, types, lambda a, b, holds=holds: int(holds(a, b)), suffix, False, *parts)
                outs.append(op("u32", f"{spelled(opcode, types, [word, suffix])} {operands}", run))
        cases.append(Case("_".join([opcode, *types]), ["u32"] * 3, ROWS, outs))
    return cases


TITLES = {"vadd": "sums", "vsub": "differences", "vabsdiff": "absolute differences", "vmin": "the smaller",
          "vmax": "the larger", "vavrg": "averages, halves rounded up"}
FILES = {
    "vshl": ("vshl: shifts to the left of parts of registers, clamped and wrapped", lambda: shift("vshl")),
    "vshr": ("vshr: shifts to the right of parts of registers, clamped and wrapped", lambda: shift("vshr")),
    "vmad": ("vmad: products with a sum, negated, and one more", vmad),
    "vset": ("vset: comparisons of parts of registers as 1 and 0", vset),
    "vset2": ("vset2: comparisons of halves as 1 and 0", lambda: simd_set(2)),
    "vset4": ("vset4: comparisons of bytes as 1 and 0", lambda: simd_set(4)),
}
for stem, words in TITLES.items():
    if stem != "vavrg":
        FILES[stem] = (f"{stem}: {words} of parts of registers, added to and merged into the third source",
                       lambda stem=stem: arithmetic(stem))
    for count, what in ((2, "halves"), (4, "bytes")):
        FILES[f"{stem}{count}"] = (f"{stem}{count}: {words} of {what}, saturated, merged and summed",
                                   lambda stem=stem, count=count: simd_arithmetic(stem, count))
