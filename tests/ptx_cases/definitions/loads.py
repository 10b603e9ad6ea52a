"""ld in every state space, type, vector width and modifier."""
import expected as x
import integers as n
from case_file import STORAGE, Case, Out, op

INTEGERS = ["u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64"]
FILL = 0xCCCCCCCCCCCCCCCC
SLOTS = [(0x0123456789ABCDEF,), (0xFEDCBA9876543210,), (0x807F80FF8000FFFF,), (0x7F80000180FF0001,), (0,)]
MODIFIERS = ["weak", "volatile", "relaxed.cta", "relaxed.gpu", "relaxed.sys", "acquire.cta", "acquire.gpu", "acquire.sys"]
LOAD_CACHES = ["ca", "cg", "cs", "lu", "cv"]


def loaded(a, t, offset=0):
    """What a 64-bit register holds after loading type t from a slot."""
    kind = t if t[0] in "us" else "u" + t[1:]
    return n.cut(n.number(a >> 8 * offset, kind), 64)


def ld_types(space, prepare="", module="", registers="", base="%in"):
    """Every integer type into a 64-bit register, and the narrow ones into 16 and 32 bits."""
    outs = []
    for t in INTEGERS:
        size = n.width(t) // 8
        offset = size if size < 8 else 0
        outs.append(op("b64", f"ld{space}.{t} %d, [{base}+{offset}];", lambda a, t=t, o=offset: loaded(a, t, o)))
    for t in INTEGERS[:6]:
        outs.append(op("b32", f"ld{space}.{t} %d, [{base}];", lambda a, t=t: n.cut(loaded(a, t), 32)))
    for t in INTEGERS[:3]:
        outs.append(op("b16", f"ld{space}.{t} %d, [{base}];", lambda a, t=t: n.cut(loaded(a, t), 16)))
    outs += [op("f32", f"ld{space}.f32 %d, [{base}+4];", lambda a: a >> 32),
             op("f64", f"ld{space}.f64 %d, [{base}];", lambda a: a)]
    name = "ld" + (space.replace(".", "_").replace("::", "_") or "_generic") + "_types"
    return Case(name, ["b64"], SLOTS, outs, prepare, registers, module)


def in_shared():
    module = ".shared .align 16 .b8 staging[512];"
    body = """
        mov.u32 %x, staging;
        mad.lo.u32 %x, %thread, 8, %x;
        st.shared.b64 [%x], %a;
    """
    return body, module, ".reg .b32 %x;"


def in_local():
    body = """
        .local .align 16 .b8 depot[16];
        mov.u64 %x, depot;
        st.local.b64 [%x], %a;
    """
    return body, "", ".reg .b64 %x;"


def generic(space):
    body, module, registers = {"shared": in_shared, "local": in_local}[space]()
    wide = "cvt.u64.u32 %g, %x;\n" if space == "shared" else "mov.u64 %g, %x;\n"
    return body + wide + f"cvta.{space}.u64 %g, %g;\n", module, registers + "\n.reg .b64 %g;"


def renamed(case, name):
    case.name = name
    return case


# Modifiers, orders of words and types together, as real kernels have them.
MIXED = ["global.nc.f32", "global.nc.f64", "global.nc.u8", "global.nc.u16", "global.nc.u64", "global.cg.f32", "global.cg.b32",
         "global.cs.f32", "global.cs.b16", "volatile.global.f32", "acquire.sys.global.u8", "relaxed.cta.global.b32"]
MIXED_VECTORS = [".global.nc", ".relaxed.gpu.global", ".volatile.global", ".global.cs"]


def ld_mixed():
    outs = [op(w.split(".")[-1], f"ld.{w} %d, [%in];", lambda a, w=w: n.cut(a, STORAGE[w.split(".")[-1]][0])) for w in MIXED]
    body, module, registers = in_shared()
    shared = [op(t, f"ld.volatile.shared.{t} %d, [%x];", lambda a, t=t: n.cut(a, STORAGE[t][0]))
              for t in ("u16", "u32", "f32", "f64", "u64")]
    return [Case("ld_mixed", ["b64"], SLOTS, outs), Case("ld_volatile_shared", ["b64"], SLOTS, shared, body, registers, module)]


def ld_modifiers():
    outs = [op("u32", f"ld.{m}.global.u32 %d, [%in];", lambda a: n.cut(a, 32)) for m in MODIFIERS]
    outs += [op("u32", f"ld.global.{c}.u32 %d, [%in];", lambda a: n.cut(a, 32)) for c in LOAD_CACHES]
    outs += [op("u32", f"ld.global.{m}.u32 %d, [%in];", lambda a: n.cut(a, 32)) for m in (
        "nc", "nc.L1::no_allocate", "L1::evict_last", "L2::128B", "nc.L2::256B", "ca.L2::64B")]
    cases = [Case("ld_modifiers", ["b64"], SLOTS, outs)]
    outs = [op(t, f"ld.{m}.{t} %d, [%g];", lambda a: n.cut(a, 32)) for m in MODIFIERS + LOAD_CACHES for t in ("u32", "b32")]
    cases.append(Case("ld_generic_modifiers", ["b64"], SLOTS, outs,
                      "ld.param.u64 %g, [in];\nmad.wide.u32 %g, %thread, 8, %g;", ".reg .b64 %g;"))
    body, module, registers = in_shared()
    outs = [op("u32", f"ld.{m}.shared.u32 %d, [%x];", lambda a: n.cut(a, 32))
            for m in ("volatile", "relaxed.cta", "acquire.cta", "weak")]
    outs.append(op("u32", "ld.shared::cta.u32 %d, [%x];", lambda a: n.cut(a, 32)))
    cases.append(Case("ld_shared_modifiers", ["b64"], SLOTS, outs, body, registers, module))
    return cases


VECTOR_SLOTS = [(0x0123456789ABCDEF, 0xFEDCBA9876543210, 0x807F80FF8000FFFF, 0x7F80000180FF0001),
                (0x1111111122222222, 0x3333333344444444, 0x5555555566666666, 0x7777777788888888)]
VECTORS = [("u8", 2), ("u8", 4), ("s8", 2), ("s8", 4), ("u16", 2), ("u16", 4), ("s16", 4), ("b16", 4), ("u32", 2), ("u32", 4),
           ("s32", 4), ("b32", 4), ("f32", 2), ("f32", 4), ("u64", 2), ("b64", 2), ("f64", 2)]


def ld_vectors(space, prepare="", module="", registers="", base="%in"):
    """One case a vector type, because it has that many results."""
    cases = []
    for t, width in VECTORS:
        size = STORAGE[t][0] // 8
        offset = 8 if size * width <= 8 else 16
        result = {"u8": "u16", "s8": "s16", "f32": "f32", "f64": "f64"}.get(t, t)

        def element(*slots, i, t=t, size=size, offset=offset, result=result):
            whole = sum(s << 64 * k for k, s in enumerate(slots))
            kind = t if t[0] in "us" else "u" + t[1:]
            return n.cut(n.number(whole >> 8 * (offset + i * size), kind), STORAGE[result][0])
        outs = [Out(result, f"ld{space}.v{width}.{t} .{'xyzw'[i]}", lambda *s, i=i, e=element: e(*s, i=i))
                for i in range(width)]
        targets = ", ".join(f"%d{i}" for i in range(width))
        body = prepare + f"\nld{space}.v{width}.{t} {{{targets}}}, [{base}+{offset}];"
        name = "ld" + (space.replace(".", "_") or "_generic") + f"_v{width}_{t}"
        cases.append(Case(name, ["b64"] * 4, VECTOR_SLOTS, outs, body, registers, module))
    return cases


def vectors_in_shared():
    module = ".shared .align 16 .b8 staging[64];"
    body = """
        mov.u32 %x, staging;
        mad.lo.u32 %x, %thread, 32, %x;
        st.shared.v2.b64 [%x], {%a, %b};
        st.shared.v2.b64 [%x+16], {%c, %e};
    """
    return ld_vectors(".shared", body, module, ".reg .b32 %x;", "%x")


def vectors_in_local():
    body = """
        .local .align 16 .b8 depot[32];
        st.local.v2.b64 [depot], {%a, %b};
        st.local.v2.b64 [depot+16], {%c, %e};
    """
    return ld_vectors(".local", body, base="depot")


def ld_const():
    module = """
        .const .align 16 .b8 bytes[16] = {0x80, 1, 2, 255, 4, 5, 6, 7, 0x08, 9};
        .const .align 4 .f32 thirds[3] = {0f3EAAAAAB, 0.25, 1.5};
        .const .align 8 .u64 large[2] = {0x8000000000000000, 18446744073709551615};
        .const .align 8 .f64 doubles[2] = {0d400921FB54442D18, -2.5};
        .const .align 2 .s16 shorts[2] = {-1, 0x1234};
        .const .align 16 .f32 four[4] = {1.0, 2.0, 3.0, 4.0};
        .const .u32 one = 1;
        .const .align 4 .u32 unset[2];
    """
    body = """
        mov.u64 %x, bytes;
        ld.const.u8 %d0, [%x];
        ld.const.s8 %d1, [bytes];
        ld.const.u32 %d2, [bytes+8];
        ld.const.f32 %d3, [thirds+4];
        ld.const.u64 %d4, [large+8];
        ld.const.f64 %d5, [doubles+8];
        ld.const.s16 %d6, [shorts];
        ld.const.u32 %d7, [one];
        ld.const.u32 %d8, [unset+4];
        ld.const.v4.u8 {%d9, %d10, %d11, %d12}, [bytes];
        cvta.const.u64 %y, %x;
        ld.u32 %d13, [%y+4];
        mul.wide.u32 %x, %thread, 4;
        mov.u64 %y, thirds;
        add.u64 %x, %x, %y;
        ld.const.f32 %d14, [%x];
        ld.const.v4.f32 {%f, %f, %d15, %f}, [four];
        ld.const.u16 %d16, [shorts+2];
    """
    values = [("u8", 0x80), ("s16", 0xFF80), ("u32", 0x0908), ("f32", 0x3E800000), ("u64", (1 << 64) - 1),
              ("f64", x.of(x.F64, -2.5)), ("s32", 0xFFFFFFFF), ("u32", 1), ("u32", 0), ("u16", 0x80), ("u16", 1), ("u16", 2),
              ("u16", 255), ("u32", 0x07060504)]
    outs = [Out(t, f"ld.const {k}", lambda i, rows, v=v: v) for k, (t, v) in enumerate(values)]
    outs.append(Out("f32", "ld.const.f32 thirds[thread]", lambda i, rows: [0x3EAAAAAB, 0x3E800000, 0x3FC00000][i]))
    outs.append(Out("f32", "ld.const.v4.f32", lambda i, rows: x.of(x.F32, 3)))
    outs.append(Out("u16", "ld.const.u16", lambda i, rows: 0x1234))
    return Case("ld_const", [], [()] * 3, outs, body, ".reg .b64 %x, %y;\n.reg .f32 %f;", module, by_thread=True)


def ld_global_variables():
    module = """
        .global .align 4 .u32 words[4] = {1, 2, 3};
        .global .align 8 .u64 to_words[2] = {generic(words), generic(words)+8};
        .global .align 8 .u64 as_global = words;
        .global .align 1 .b8 text[6] = {72, 101, 108, 108, 111};
        .visible .global .align 8 .f64 real_number = 0d3FF8000000000000;
    """
    body = """
        ld.global.u32 %d0, [words+8];
        ld.global.u32 %d1, [words+12];
        ld.global.u64 %x, [to_words+8];
        ld.u32 %d2, [%x];
        ld.global.u64 %x, [as_global];
        ld.global.u32 %d3, [%x+4];
        ld.global.u8 %d4, [text+4];
        ld.global.u8 %d5, [text+5];
        ld.global.f64 %d6, [real_number];
    """
    values = [("u32", 3), ("u32", 0), ("u32", 3), ("u32", 2), ("u8", 111), ("u8", 0), ("f64", 0x3FF8000000000000)]
    outs = [Out(t, f"ld.global {k}", lambda v=v: v) for k, (t, v) in enumerate(values)]
    return Case("ld_global_variables", [], [()], outs, body, ".reg .b64 %x;", module)


def ld_param():
    parameters = [
        (".param .u8 byte", "u8", 0x9C), (".param .u16 half", "u16", 0x8001), (".param .u32 word", "u32", 0x87654321),
        (".param .f32 real", "f32", 0x3FC00000), (".param .f64 wide", "f64", 0xC009000000000000),
        (".param .align 16 .b8 struct[16]", "b64", 0), (".param .u64 last", "u64", 0x1122334455667788),
    ]
    body = """
        ld.param.u8 %d0, [byte];
        ld.param.s8 %d1, [byte];
        ld.param.u16 %d2, [half];
        ld.param.s16 %d3, [half];
        ld.param.u32 %d4, [word];
        ld.param.s32 %d5, [word];
        ld.param.f32 %d6, [real];
        ld.param.f64 %d7, [wide];
        ld.param.u64 %d8, [last];
        ld.param.b64 %d9, [last];
        ld.param.v2.u32 {%d10, %d11}, [last];
        ld.param.v4.u8 {%d12, %d13, %d14, %d15}, [word];
        ld.param.u8 %d16, [word+3];
        ld.param.v2.u8 {%d17, %d18}, [half];
        ld.param.v2.f32 {%d19, %d20}, [wide];
    """
    values = [("u8", 0x9C), ("s32", 0xFFFFFF9C), ("u16", 0x8001), ("s32", 0xFFFF8001), ("u32", 0x87654321),
              ("s64", 0xFFFFFFFF87654321), ("f32", 0x3FC00000), ("f64", 0xC009000000000000), ("u64", 0x1122334455667788),
              ("b64", 0x1122334455667788), ("u32", 0x55667788), ("u32", 0x11223344), ("u16", 0x21), ("u16", 0x43),
              ("u16", 0x65), ("u16", 0x87), ("u32", 0x87), ("u16", 0x01), ("u16", 0x80), ("f32", 0), ("f32", 0xC0090000)]
    outs = [Out(t, f"ld.param {k}", lambda v=v: v) for k, (t, v) in enumerate(values)]
    return Case("ld_param", [], [()], outs, body, parameters=[p for p in parameters if "struct" not in p[0]])


def ld_shared_window():
    """Dynamic shared memory, written by one thread and read by its neighbour."""
    body = """
        mov.u32 %x, dynamic;
        mad.lo.u32 %y, %thread, 4, %x;
        st.shared.u32 [%y], %a;
        bar.sync 0;
        xor.b32 %y, %thread, 63;
        mad.lo.u32 %y, %y, 4, %x;
        ld.shared.u32 %d0, [%y];
    """
    rows = [(i * 0x01010101,) for i in range(64)]
    return Case("ld_dynamic_shared", ["u32"], rows, [Out("u32", "ld.shared.u32", lambda i, rows: rows[63 - i][0])], body,
                ".reg .b32 %x, %y;", ".extern .shared .align 16 .b8 dynamic[];", by_thread=True, dynamic_shared=256)


def ld_guarded():
    """Lanes that are off keep what they had and touch no memory, however wrong the address."""
    body = """
        setp.ne.u32 %p, %b, 0;
        mov.u32 %d0, 5;
        mov.u64 %x, 1;
        @%p mov.u64 %x, %in;
        @%p ld.global.u32 %d0, [%x];
        @!%p st.global.u32 [%out+8], 6;
        ld.global.u32 %d1, [%out+8];
    """
    return Case("ld_guarded", ["u32", "u32"], [(7, 0), (8, 1), (9, 1), (10, 0)], [
        Out("u32", "ld.global.u32", lambda a, b: a if b else 5),
        Out("u32", "st.global.u32", lambda a, b: FILL & 0xFFFFFFFF if b else 6)], body, ".reg .b64 %x;")


def ld():
    shared, shared_module, shared_registers = in_shared()
    local, _, local_registers = in_local()
    cases = [ld_types(".global"), ld_types(".shared", shared, shared_module, shared_registers, "%x"),
             ld_types(".local", local, "", local_registers, "%x")]
    cases.append(renamed(ld_types("", "ld.param.u64 %g, [in];\nmad.wide.u32 %g, %thread, 8, %g;", "", ".reg .b64 %g;", "%g"),
                         "ld_generic_global_types"))
    for space in ("shared", "local"):
        body, module, registers = generic(space)
        cases.append(renamed(ld_types("", body, module, registers, "%g"), f"ld_generic_{space}_types"))
    cases += ld_modifiers() + ld_vectors(".global") + vectors_in_shared() + vectors_in_local()
    cases += ld_mixed()
    for space in MIXED_VECTORS:
        cases += [c for c in ld_vectors(space) if c.name.endswith(("u8", "u32", "s32", "u64", "f32", "f64"))]
    at_slot = "ld.param.u64 %g, [in];\nmad.wide.u32 %g, %thread, 32, %g;"
    cases += [c for c in ld_vectors(".relaxed.gpu", at_slot, "", ".reg .b64 %g;", "%g") if c.name.endswith(("u32", "u64"))]
    return with_own_shared_names(cases + [ld_const(), ld_global_variables(), ld_param(), ld_shared_window(), ld_guarded()])


def with_own_shared_names(cases):
    """Module variables are the file's: each case gets its own."""
    for case in cases:
        if "staging" in case.module:
            own = "staging_" + case.name
            case.module, case.body = case.module.replace("staging", own), case.body.replace("staging", own)
    return cases


FILES = {
    "ld": ("ld: every state space, type, vector width and modifier", ld),
}
