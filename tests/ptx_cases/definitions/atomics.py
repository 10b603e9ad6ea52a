"""atom and red: every operation on one thread's own word, then all threads on one word."""
import expected as x
import integers as n
from case_file import STORAGE, Case, Out
from definitions.operands import edges, pairs


def signed_least(a, b, t):
    return min(a, b, key=lambda v: n.number(v, t))


def signed_most(a, b, t):
    return max(a, b, key=lambda v: n.number(v, t))


# operation: (types, function(old, operand, type))
OPERATIONS = {
    "add": (["u32", "s32", "u64"], lambda a, b, t: n.cut(a + b, n.width(t))),
    "min": (["u32", "s32", "u64", "s64"], signed_least),
    "max": (["u32", "s32", "u64", "s64"], signed_most),
    "and": (["b32", "b64"], lambda a, b, t: a & b),
    "or": (["b32", "b64"], lambda a, b, t: a | b),
    "xor": (["b32", "b64"], lambda a, b, t: a ^ b),
    "inc": (["u32"], lambda a, b, t: 0 if a >= b else a + 1),
    "dec": (["u32"], lambda a, b, t: b if a == 0 or a > b else a - 1),
}
SPACES = {".global": "%in", ".shared": "%x", "": "%g"}


def word(space, file, t):
    """Where the word lies, and how the case gets there."""
    if space == ".shared":
        name = f"{file}_words_{t}"
        return (f".shared .align 8 .b8 {name}[1024];", f"mov.u32 %x, {name};\nmad.lo.u32 %x, %thread, 8, %x;\n", ".reg .b32 %x;")
    if space == "":
        return "", "mul.wide.u32 %g, %thread, 16;\nld.param.u64 %y, [in];\nadd.u64 %g, %g, %y;\n", ".reg .b64 %g, %y;"
    return "", "", ""


def own_word(file, space, t, scope=""):
    """atom answers the old value; both leave the new one behind."""
    module, setup, registers = word(space, file, t)
    base = SPACES[space]
    kind = STORAGE[t][2]
    outs = []
    for name, (types, function) in OPERATIONS.items():
        if t not in types:
            continue
        reset = f"st{space}.{kind} [{base}], %a;\n"
        if file == "atom":
            outs.append(Out(t, f"atom{space}{scope}.{name}.{t}", lambda a, b: a,
                            f"{reset}atom{space}{scope}.{name}.{t} %d, [{base}], %b;"))
            reset = ""
        else:
            reset += f"red{space}{scope}.{name}.{t} [{base}], %b;\n"
        outs.append(Out(t, f"{file}{space}{scope}.{name}.{t} in memory", lambda a, b, f=function, t=t: f(a, b, t),
                        f"{reset}ld{space}.{kind} %d, [{base}];"))
    label = (space[1:] or "generic") + scope.replace(".", "_")
    return Case(f"{file}_{label}_{t}", [t, t], pairs(edges(t)), outs, setup, registers, module)


def exchange(space, t, scope=""):
    module, setup, registers = word(space, "exch", t)
    base, kind = SPACES[space], STORAGE[t][2]
    if space == "":
        setup = setup.replace("16", "24")
    rows = [(a, b, c) for a in edges(t)[:4] for b in edges(t)[:4] for c in edges(t)[3:5]]
    outs = [
        Out(t, f"atom{space}{scope}.exch.{t}", lambda a, b, c: a, f"st{space}.{kind} [{base}], %a;\natom{space}{scope}.exch.{t} %d, [{base}], %b;"),
        Out(t, f"atom{space}{scope}.exch.{t} in memory", lambda a, b, c: b, f"ld{space}.{kind} %d, [{base}];"),
        Out(t, f"atom{space}{scope}.cas.{t}", lambda a, b, c: a,
            f"st{space}.{kind} [{base}], %a;\natom{space}{scope}.cas.{t} %d, [{base}], %b, %c;"),
        Out(t, f"atom{space}{scope}.cas.{t} in memory", lambda a, b, c: c if a == b else a, f"ld{space}.{kind} %d, [{base}];"),
    ]
    return Case(f"atom_exchange_{space[1:] or 'generic'}{scope.replace('.', '_')}_{t}", [t] * 3, rows, outs, setup, registers, module)


FLOATS = {"f32": x.F32, "f64": x.F64}


def float_rows(f):
    numbers = [(1, 2), (0.1, 0.2), (1e30, -1e30), (1.5, -0.25), (-3, 3), (0, -0.0), (-0.0, -0.0), (1, 2.0**-30), (1e38, 3e38)]
    return [(x.of(f, a), x.of(f, b)) for a, b in numbers] + [(f.inf, f.one), (f.inf, f.inf | f.sign)]


def float_add(file, space, t):
    f = FLOATS[t]
    module, setup, registers = word(space, f"{file}_float", t)
    base = SPACES[space]
    code = f"st{space}.{t} [{base}], %a;\n"
    outs = []
    if file == "atom":
        outs.append(Out(t, f"atom{space}.add.{t}", lambda a, b: a, code + f"atom{space}.add.{t} %d, [{base}], %b;"))
        code = ""
    else:
        code += f"red{space}.add.{t} [{base}], %b;\n"
    outs.append(Out(t, f"{file}{space}.add.{t} in memory", lambda a, b: x.add(f, a, b), f"{code}ld{space}.{t} %d, [{base}];"))
    return Case(f"{file}_add_{space[1:] or 'generic'}_{t}", [t, t], float_rows(f), outs, setup, registers, module)


def float_add_sys():
    f = x.F64
    return Case("atom_add_global_sys_f64", ["f64", "f64"], float_rows(f), [
        Out("f64", "atom.global.sys.add.f64", lambda a, b: a, "atom.global.sys.add.f64 %d, [%in], %b;"),
        Out("f64", "atom.global.sys.add.f64 in memory", lambda a, b: x.add(f, a, b), "ld.global.f64 %d, [%in];")])


def subnormals():
    """f32 sums flush subnormals in global memory and keep them in shared memory; f64 keeps them."""
    module = ".shared .align 4 .b8 subnormal_words[64];"
    body = """
        mov.u32 %x, subnormal_words;
        mad.lo.u32 %x, %thread, 4, %x;
        st.shared.f32 [%x], %a;
        atom.shared.add.f32 %f, [%x], %b;
        ld.shared.f32 %d0, [%x];
        atom.global.add.f32 %f, [%in], %b;
        ld.global.f32 %d1, [%in];
    """
    f = x.F32
    rows = [(3, 4), (1 << 23, 3), (1 << 23, (1 << 23 | 5) | f.sign), (3, 0), (f.one, 3)]
    return Case("atom_add_subnormal_f32", ["f32", "f32"], rows, [
        Out("f32", "atom.shared.add.f32", lambda a, b: x.add(f, a, b)),
        Out("f32", "atom.global.add.f32", lambda a, b: x.add(f, a, b, ftz=True))], body, ".reg .b32 %x;\n.reg .f32 %f;", module)


def halves():
    cases = []
    for t, f in (("f16", x.F16), ("bf16", x.BF16)):
        numbers = [(1, 2), (0.1, 0.2), (1.5, -0.25), (-3, 3), (1000, 0.5), (2.0**-14, -(2.0**-15))]
        rows = [(x.of(f, a) | x.of(f, b) << 16, x.of(f, b) | x.of(f, b) << 16) for a, b in numbers]
        both = lambda a, b, f=f: x.add(f, a & 0xFFFF, b & 0xFFFF) | x.add(f, a >> 16, b >> 16) << 16
        word = t + "x2"
        outs = [Out(word, f"atom.global.add.noftz.{word}", lambda a, b: a,
                    f"st.global.b32 [%in], %a;\natom.global.add.noftz.{word} %d, [%in], %b;"),
                Out(word, f"atom.global.add.noftz.{word} in memory", both, "ld.global.b32 %d, [%in];"),
                Out(word, f"atom.add.noftz.{word} in memory", both, "ld.param.u64 %g, [in];\nmul.wide.u32 %y, %thread, 16;\n"
                    f"add.u64 %g, %g, %y;\nst.b32 [%g], %a;\natom.add.noftz.{word} %h, [%g], %b;\nld.b32 %d, [%g];")]
        cases.append(Case(f"atom_add_{word}", [word, word], rows, outs, registers=".reg .b64 %g, %y;\n.reg .b32 %h;"))
        outs = [Out(t, f"atom.global.add.noftz.{t}", lambda a, b: a,
                    f"st.global.b16 [%in+2], %a;\natom.global.add.noftz.{t} %d, [%in+2], %b;"),
                Out(t, f"atom.global.add.noftz.{t} in memory", lambda a, b, f=f: x.add(f, a, b), "ld.global.b16 %d, [%in+2];")]
        cases.append(Case(f"atom_add_{t}", [t, t], [(a & 0xFFFF, b & 0xFFFF) for a, b in rows], outs))
    return cases


def modifiers():
    words = ["global.sys.add.u32", "global.gpu.add.u32", "global.cta.add.u32", "relaxed.gpu.global.add.u32",
             "acquire.gpu.global.add.u32", "release.gpu.global.add.u32", "acq_rel.gpu.global.add.u32",
             "relaxed.sys.global.add.u32", "acq_rel.cta.global.add.u32"]
    outs = [Out("u32", f"atom.{w}", lambda a, i=i: n.cut(a + i, 32), f"atom.{w} %d, [%in], 1;") for i, w in enumerate(words)]
    # The same word after the opcode, as inline assembly writes it.
    generic = ["add.release.gpu.u32", "add.acquire.cta.u32", "add.relaxed.cta.u32", "or.acq_rel.cta.b32", "add.u32", "exch.b32",
               "cas.b32"]
    running = len(words)
    rows = [(0,), (0xFFFFFFFE,), (41,)]

    def after(count):
        return lambda a: n.cut(a + count, 32)
    body = "ld.param.u64 %g, [in];\nmad.wide.u32 %g, %thread, 8, %g;"
    for w in generic:
        operand = "0" if w.startswith("or") else "1"
        if w == "exch.b32":
            outs.append(Out("u32", f"atom.{w}", after(running), f"atom.{w} %d, [%g], 7;"))
        elif w == "cas.b32":
            outs.append(Out("u32", f"atom.{w}", lambda a: 7, f"atom.{w} %d, [%g], 7, 9;"))
        else:
            outs.append(Out("u32", f"atom.{w}", after(running), f"atom.{w} %d, [%g], {operand};"))
            running += operand == "1"
    outs.append(Out("u32", "in memory", lambda a: 9, "ld.global.u32 %d, [%in];"))
    return Case("atom_modifiers", ["u32"], rows, outs, body, ".reg .b64 %g;")


def contended():
    """64 threads on one word, in shared and in global memory; sums of small integers are exact in any order."""
    module = """
        .shared .align 8 .b8 contended_shared[64];
        .global .align 8 .u64 contended_global[4];
    """
    body = """
        setp.eq.u32 %p, %thread, 0;
        @%p st.shared.u32 [contended_shared], 5;
        @%p st.shared.u32 [contended_shared+4], 0x80000000;
        @%p st.shared.f32 [contended_shared+8], 0f3F000000;
        @%p st.shared.u32 [contended_shared+12], 0;
        @%p st.shared.u64 [contended_shared+16], -1;
        bar.sync 0;
        atom.shared.add.u32 %t, [contended_shared], %a;
        atom.shared.max.s32 %t, [contended_shared+4], %a;
        cvt.rn.f32.u32 %f, %a;
        atom.shared.add.f32 %f, [contended_shared+8], %f;
        atom.shared.inc.u32 %t, [contended_shared+12], 6;
        cvt.u64.u32 %y, %a;
        atom.shared.min.u64 %y, [contended_shared+16], %y;
        cvt.u64.u32 %y, %a;
        atom.global.add.u64 %y, [contended_global], %y;
        red.global.xor.b32 [contended_global+8], %a;
        red.global.or.b32 [contended_global+12], %a;
        red.global.add.u32 [contended_global+16], 1;
        bar.sync 0;
        ld.shared.u32 %d0, [contended_shared];
        ld.shared.s32 %d1, [contended_shared+4];
        ld.shared.f32 %d2, [contended_shared+8];
        ld.shared.u32 %d3, [contended_shared+12];
        ld.shared.u64 %d4, [contended_shared+16];
        ld.global.u64 %d5, [contended_global];
        ld.global.u32 %d6, [contended_global+8];
        ld.global.u32 %d7, [contended_global+12];
        ld.global.u32 %d8, [contended_global+16];
    """
    rows = [(7 * i % 61 + 3,) for i in range(64)]
    values = [a for a, in rows]
    xor = 0
    union = 0
    for a in values:
        xor ^= a
        union |= a
    results = [("u32", "atom.shared.add.u32", 5 + sum(values)), ("s32", "atom.shared.max.s32", max(values)),
               ("f32", "atom.shared.add.f32", x.of(x.F32, 0.5 + sum(values))), ("u32", "atom.shared.inc.u32", 64 % 7),
               ("u64", "atom.shared.min.u64", min(values)), ("u64", "atom.global.add.u64", sum(values)),
               ("u32", "red.global.xor.b32", xor), ("u32", "red.global.or.b32", union), ("u32", "red.global.add.u32", 64)]
    outs = [Out(t, label, lambda a, v=v: v) for t, label, v in results]
    return Case("atom_contended", ["u32"], rows, outs, body, ".reg .b32 %t;\n.reg .f32 %f;\n.reg .b64 %y;", module)


def compare_and_swap_loop():
    """A floating-point maximum by compare and swap, every lane on the same word."""
    module = ".shared .align 4 .u32 largest;"
    body = """
        setp.eq.u32 %p, %thread, 0;
        @%p st.shared.u32 [largest], 0;
        bar.sync 0;
        ld.volatile.shared.u32 %t, [largest];
    again:
        mov.b32 %f, %t;
        max.f32 %f, %f, %a;
        mov.b32 %y, %f;
        atom.shared.cas.b32 %z, [largest], %t, %y;
        setp.ne.u32 %p, %z, %t;
        mov.u32 %t, %z;
        @%p bra again;
        bar.sync 0;
        ld.shared.f32 %d0, [largest];
    """
    rows = [(x.of(x.F32, (37 * i % 64) / 8),) for i in range(64)]
    return Case("atom_cas_loop", ["f32"], rows, [Out("f32", "atom.shared.cas.b32", lambda a: x.of(x.F32, 63 / 8))], body,
                ".reg .b32 %t, %y, %z;\n.reg .f32 %f;", module)


def guarded():
    body = """
        setp.ne.u32 %p, %b, 0;
        mov.u32 %d0, 99;
        @%p atom.global.add.u32 %d0, [%in], 5;
        @!%p red.global.add.u32 [%in], 7;
        ld.global.u32 %d1, [%in];
    """
    return Case("atom_guarded", ["u32", "u32"], [(10, 0), (20, 1), (30, 1), (40, 0)], [
        Out("u32", "atom.global.add.u32", lambda a, b: a if b else 99),
        Out("u32", "in memory", lambda a, b: a + 5 if b else a + 7)], body)


def whole(file):
    cases = [own_word(file, space, t) for space in SPACES for t in ("u32", "s32", "b32", "u64", "s64", "b64")
             if any(t in types for types, _ in OPERATIONS.values())]
    return cases + [float_add(file, space, t) for space in SPACES for t in FLOATS]


def lanes(word, t, count):
    """The elements that lie in a 64-bit slot."""
    return [word >> STORAGE[t][0] * i & (1 << STORAGE[t][0]) - 1 for i in range(count)]


def vectors(file):
    """Two floats, four halves and two pairs of halves in one request, each element an operation of its own."""
    f32, f16, bf16 = x.F32, x.F16, x.BF16
    pair = lambda f, a, b: x.of(f, a) | x.of(f, b) << f.bits
    numbers = [(1.5, 2.25, -3, 0.125), (1000, -1000, 0.5, 0.25), (-0.0, 0.0, 0.0, -0.0), (3, 65504, 4, 65504)]
    rows = [(pair(f32, a, b), pair(f32, c, d), pair(f16, a, b) | pair(f16, b, a) << 32, pair(f16, c, d) | pair(f16, d, c) << 32)
            for a, b, c, d in numbers]
    forms = [("f32", 2, "add", ".add.v2.f32", f32, 0), ("f16", 4, "add", ".add.noftz.v4.f16", f16, 2),
             ("f16x2", 2, "min", ".min.noftz.v2.f16x2", f16, 2), ("bf16", 4, "max", ".max.noftz.v4.bf16", bf16, 2)]
    outs = []
    for t, count, operation, words, f, column in forms:
        width = STORAGE[t][0]
        kind = STORAGE[t][1]
        names = lambda letter: "{" + ", ".join(f"%{letter}{t}_{i}" for i in range(count)) + "}"
        split = f"mov.b64 {names('w')}, %{'abce'[column + 1]};\n"

        def after(*row, f=f, column=column, operation=operation):
            old, new = (lanes(row[column + i], "b" + str(f.bits), 64 // f.bits) for i in (0, 1))
            each = {"add": lambda a, b: x.add(f, a, b), "min": lambda a, b: x.extremum(f, a, b, False),
                    "max": lambda a, b: x.extremum(f, a, b, True)}[operation]
            return sum(each(a, b) << f.bits * i for i, (a, b) in enumerate(zip(old, new)))
        store = f"st.global.b64 [%in], %{'abce'[column]};\n"
        if file == "atom":
            outs.append(Out("b64", f"atom.global{words}", lambda *row, column=column: row[column],
                            f"{store}{split}atom.global{words} {names('o')}, [%in], {names('w')};\nmov.b64 %d, {names('o')};"))
            store = ""
        else:
            store += f"{split}red.global{words} [%in], {names('w')};\n"
        outs.append(Out("b64", f"{file}.global{words} in memory", after, f"{store}ld.global.b64 %d, [%in];"))
    registers = "\n".join(f".reg .{STORAGE[t][1]} {', '.join(f'%{letter}{t}_{i}' for letter in 'wo' for i in range(count))};"
                          for t, count, *_ in forms)
    return Case(f"{file}_vectors", ["b64"] * 4, rows, outs, registers=registers)


def quads():
    """128 bits at once: moved, loaded, stored, exchanged, and swapped where they are what was expected."""
    module = ".global .align 16 .b8 quads[1024];\n.shared .align 16 .b8 shared_quads[1024];"
    body = """
        mul.wide.u32 %y, %thread, 16;
        mov.u64 %g, quads;
        add.u64 %g, %g, %y;
        mov.b128 %q0, {%a, %b};
        st.global.b128 [%g], %q0;
        ld.global.b64 %d0, [%g+8];
        mov.b128 %q1, {%b, %c};
        atom.global.exch.b128 %q2, [%g], %q1;
        mov.b128 {%d1, _}, %q2;
        mov.b128 %q3, %q2;
        atom.global.cas.b128 %q2, [%g], %q3, %q0;
        mov.b128 {%d2, %d3}, %q2;
        ld.global.b128 %q3, [%g];
        mov.b128 {%d4, %d5}, %q3;
        mov.u64 %x, shared_quads;
        add.u64 %x, %x, %y;
        st.shared.b128 [%x], %q1;
        ld.shared.v2.b64 {%d6, %d7}, [%x];
    """
    rows = [(1, 2, 3), (5, 5, 5), (0xFFFFFFFFFFFFFFFF, 1 << 63, 0), (7, 7, 8)]
    swapped = lambda a, b, c: (b, c) == (a, b)
    outs = [Out("b64", "st.global.b128", lambda a, b, c: b), Out("b64", "atom.global.exch.b128", lambda a, b, c: a),
            Out("b64", "atom.global.cas.b128, low", lambda a, b, c: b), Out("b64", "atom.global.cas.b128, high", lambda a, b, c: c),
            Out("b64", "in memory, low", lambda a, b, c: a if swapped(a, b, c) else b),
            Out("b64", "in memory, high", lambda a, b, c: b if swapped(a, b, c) else c),
            Out("b64", "st.shared.b128, low", lambda a, b, c: b), Out("b64", "st.shared.b128, high", lambda a, b, c: c)]
    return Case("atom_b128", ["b64"] * 3, rows, outs, body.replace("_}", "%z}"),
                ".reg .b128 %q0, %q1, %q2, %q3;\n.reg .b64 %g, %x, %y, %z;", module)


def atom():
    cases = [own_word("atom", ".global", t, ".sys") for t in ("u32", "s32", "b32")] + [exchange(".global", "b32", ".sys")]
    cases += whole("atom") + [exchange(space, t) for space in SPACES for t in ("b32", "b64")]
    return cases + halves() + [vectors("atom"), quads(), float_add_sys(), subnormals(), modifiers(), contended(), compare_and_swap_loop(), guarded()]


def red():
    words = ["and.release.cta.b32", "or.relaxed.gpu.b32", "add.relaxed.sys.u32"]
    body = "ld.param.u64 %g, [in];\nmad.wide.u32 %g, %thread, 16, %g;\n" + "\n".join(f"red.{w} [%g], %b;" for w in words)
    rows = pairs([0, 1, 0xFFFFFFFF, 0x12345678])
    return whole("red") + [vectors("red"), Case("red_modifiers", ["u32", "u32"], rows, [
        Out("u32", "red.and, red.or, red.add", lambda a, b: n.cut((a & b | b) + b, 32), "ld.global.u32 %d, [%in];")],
        body, ".reg .b64 %g;")]


FILES = {
    "atom": ("atom: every operation and type, in global, shared and generic space; contended words", atom),
    "red": ("red: every operation and type, in global, shared and generic space", red),
}
