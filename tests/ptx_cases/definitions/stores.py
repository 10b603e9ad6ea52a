"""st, and what else touches memory or its addresses: cvta, isspacep, prefetch, ldu."""
import expected as x
import integers as n
from case_file import STORAGE, Case, Out, op
from definitions.loads import FILL, INTEGERS, SLOTS, VECTORS


def after_store(bytes_written, offset=0):
    """A filled slot with some bytes replaced."""
    whole = bytearray(FILL.to_bytes(8, "little"))
    whole[offset:offset + len(bytes_written)] = bytes_written
    return int.from_bytes(whole, "little")


def st_types(space):
    """Each type into its own slot; the bytes around stay."""
    cases = []
    for t in INTEGERS + ["f32", "f64"]:
        size = STORAGE[t][0] // 8
        offset = size if size < 8 else 0
        wide = "b64" if size < 8 and t[0] != "f" else t
        value = lambda a, size=size, offset=offset: after_store(n.cut(a, 8 * size).to_bytes(size, "little"), offset)
        rows = [(0x0123456789ABCDEF,), (0xFEDCBA9876543210,), (0x7F,)] if wide == "b64" or size == 8 else [
            (0x3FC00000,), (0x80000001,)]
        base = "%out" if space else "%g"
        body = ("" if space else "ld.param.u64 %g, [out];\nmad.wide.u32 %g, %thread, 8, %g;\n") + \
            f"st{space}.{t} [{base}+{offset}], %a;"
        cases.append(Case(f"st{space.replace('.', '_') or '_generic'}_{t}", [wide], rows,
                          [Out("b64", f"st{space}.{t}", value)], body, "" if space else ".reg .b64 %g;", stores=False))
    return cases


def st_elsewhere(space):
    """Scalars and vectors into filled shared and local memory, read back whole."""
    cases = []
    for t, width in [(t, 1) for t in ("u8", "u16", "u32", "f32", "u64", "f64")] + VECTORS:
        size = STORAGE[t][0] // 8
        ins = {"u8": "u16", "s8": "u16"}.get(t, t)
        rows = [tuple(n.cut(0x8123456789ABCDEF >> 4 * i + k, STORAGE[ins][0]) for i in range(width)) for k in (0, 3)]
        name = f"st{space.replace('.', '_')}_v{width}_{t}"
        words = name + "_words"
        module, registers, base = "", "", words
        body = f".local .align 16 .b8 {words}[16];\n"
        kind = space.split(".")[-1]
        if kind == "shared":
            module, registers, base = f".shared .align 16 .b8 {words}[32];", ".reg .b32 %x;", "%x"
            body = f"mov.u32 %x, {words};\nmad.lo.u32 %x, %thread, 16, %x;\n"
        operands = ", ".join("%" + "abce"[i] for i in range(width))
        form = f"st{space}.{t}" if width == 1 else f"st{space}.v{width}.{t}"
        fill = n.signed(FILL, 64)
        body += f"st.{kind}.v2.b64 [{base}], {{{fill}, {fill}}};\n"
        body += f"{form} [{base}], {operands if width == 1 else '{' + operands + '}'};\n"
        body += f"ld.{kind}.v2.b64 {{%d0, %d1}}, [{base}];"

        def value(*elements, slot, size=size):
            data = b"".join(n.cut(e, 8 * size).to_bytes(size, "little") for e in elements)
            return after_store(data[8 * slot:8 * slot + 8])
        outs = [Out("b64", f"{form} bytes from {8 * slot}", lambda *v, slot=slot, g=value: g(*v, slot=slot)) for slot in (0, 1)]
        cases.append(Case(name, [ins] * width, rows, outs, body, registers, module))
    return cases


def st_mixed():
    """Modifiers, orders of words and types together, as real kernels have them."""
    scalars = ["global.cs.b16", "global.cs.f32", "global.wt.f32", "volatile.global.f32", "release.sys.global.u8",
               "release.sys.global.b32", "relaxed.cta.global.b32"]
    ins = ["u32", "f32", "u64"]
    register = lambda t: "%b" if t == "f32" else "%h" if t in ("b16", "u8") else "%a"
    body = "cvt.u16.u32 %h, %a;\n"
    outs = []
    for w in scalars:
        t = w.split(".")[-1]
        body += f"st.{w} [%out+{8 * len(outs)}], {register(t)};\n"
        outs.append(Out("b64", f"st.{w}", lambda a, b, c, t=t: after_store(
            n.cut(b if t == "f32" else a, STORAGE[t][0]).to_bytes(STORAGE[t][0] // 8, "little"))))
    for w in ("relaxed.gpu.global.v2.u32", "global.v2.u32"):
        body += f"st.{w} [%out+{8 * len(outs)}], {{%a, %a}};\n"
        outs.append(Out("b64", f"st.{w}", lambda a, b, c: a * 0x100000001))
    outs.append(Out("b64", "not written", lambda *_: FILL))
    for w in ("relaxed.gpu.global.v2.u64", "global.cs.v4.s32", "global.cg.v4.s32"):
        wide = w.endswith("u64")
        body += f"st.{w} [%out+{8 * len(outs)}], {{{'%c, %c' if wide else '%a, %a, %a, %a'}}};\n"
        for half in ("lower", "upper"):
            outs.append(Out("b64", f"st.{w}, {half} half", lambda a, b, c, wide=wide: c if wide else a * 0x100000001))
    body += f"ld.param.u64 %g, [out];\nmad.wide.u32 %g, %thread, {8 * (len(outs) + 6)}, %g;\n"
    for w in ("relaxed.gpu.v2.u64", "relaxed.gpu.v2.u32", "relaxed.cta.b32", "release.sys.b32", "relaxed.sys.f32"):
        operands = {"v2.u64": "{%c, %c}", "v2.u32": "{%a, %a}", "sys.f32": "%b"}.get(w[-6:] if "v2" in w else w[-7:], "%a")
        body += f"st.{w} [%g+{8 * len(outs)}], {operands};\n"
        if w.endswith("u64"):
            outs += [Out("b64", f"st.{w}, {half} half", lambda a, b, c: c) for half in ("lower", "upper")]
        elif "v2" in w:
            outs.append(Out("b64", f"st.{w}", lambda a, b, c: a * 0x100000001))
        else:
            outs.append(Out("b64", f"st.{w}", lambda a, b, c, f="f32" in w: after_store((b if f else a).to_bytes(4, "little"))))
    assert len(outs) % 2 == 0  # so that every thread's slots are aligned to 16 bytes
    rows = [(0x12345678, 0x3FC00000, 0x0123456789ABCDEF), (0xFFFFFFFE, 0x80000001, 0x8000000000000000)]
    return [Case("st_mixed", ins, rows, outs, body, ".reg .b16 %h;\n.reg .b64 %g;", stores=False)]


def st_vectors():
    cases = []
    for t, width in VECTORS:
        size = STORAGE[t][0] // 8
        ins = {"u8": "u16", "s8": "u16"}.get(t, t)
        rows = [tuple(n.cut(0x8123456789ABCDEF >> 4 * i + k, STORAGE[ins][0]) for i in range(width)) for k in (0, 3)]
        outs = []
        for slot in range((size * width + 7) // 8):
            def value(*elements, slot=slot, size=size):
                data = b"".join(n.cut(e, 8 * size).to_bytes(size, "little") for e in elements)
                return after_store(data[8 * slot:8 * slot + 8])
            outs.append(Out("b64", f"st.global.v{width}.{t} bytes from {8 * slot}", value))
        operands = ", ".join("%" + "abce"[i] for i in range(width))
        if len(outs) == 1:  # keep every address aligned to the whole vector
            outs.append(Out("b64", "beside it", lambda *_: FILL))
        cases.append(Case(f"st_global_v{width}_{t}", [ins] * width, rows, outs,
                          f"st.global.v{width}.{t} [%out], {{{operands}}};", stores=False))
    return cases


def st_modifiers():
    words = ["volatile.global", "weak.global", "relaxed.cta.global", "relaxed.gpu.global", "relaxed.sys.global",
             "release.cta.global", "release.gpu.global", "release.sys.global", "global.wb", "global.cg", "global.cs",
             "global.wt", "global.L1::evict_last"]
    body = "\n".join(f"st.{w}.u32 [%out+{8 * i}], %a;" for i, w in enumerate(words))
    outs = [Out("b64", f"st.{w}.u32", lambda a: after_store(a.to_bytes(4, "little"))) for w in words]
    cases = [Case("st_modifiers", ["u32"], [(0x12345678,), (0xFFFFFFFF,)], outs, body, stores=False)]
    words = ["volatile", "weak", "relaxed.gpu", "relaxed.cta", "release.gpu", "release.sys", "cg", "cs"]
    body = f"ld.param.u64 %g, [out];\nmad.wide.u32 %g, %thread, {8 * len(words)}, %g;\n" + "\n".join(
        f"st.{w}.u32 [%g+{8 * i}], %a;" for i, w in enumerate(words))
    outs = [Out("b64", f"st.{w}.u32", lambda a: after_store(a.to_bytes(4, "little"))) for w in words]
    return cases + [Case("st_generic_modifiers", ["u32"], [(0x12345678,), (0,)], outs, body, ".reg .b64 %g;", stores=False)]


def st_immediates():
    body = """
        st.global.u32 [%out], -2;
        st.global.u8 [%out+8], 255;
        st.global.f32 [%out+16], 0f3F800000;
        st.global.u64 [%out+24], -1;
        st.global.f64 [%out+32], 0d3FF0000000000000;
        st.global.v2.u32 [%out+40], {1, 2};
        st.global.u16 [%out+48], 4660;
    """
    values = [after_store((0xFFFFFFFE).to_bytes(4, "little")), after_store(b"\xff"),
              after_store((0x3F800000).to_bytes(4, "little")), (1 << 64) - 1, x.F64.one, 1 | 2 << 32, after_store(b"\x34\x12")]
    outs = [Out("b64", f"st.global {k}", lambda v=v: v) for k, v in enumerate(values)]
    return Case("st_immediates", [], [()], outs, body, stores=False)


def st_narrow_spaces():
    """Narrow stores into shared and local words, read back whole."""
    module = ".shared .align 8 .b8 words_of_st[64];"
    body = """
        .local .align 8 .b8 depot[8];
        mov.u32 %x, words_of_st;
        mad.lo.u32 %x, %thread, 8, %x;
        st.shared.u64 [%x], 0;
        st.local.u64 [depot], 0;
        st.shared.u8 [%x+1], %a;
        st.shared.u16 [%x+2], %a;
        st.shared.f32 [%x+4], 0f3F800000;
        st.local.u8 [depot+7], %a;
        st.local.s16 [depot+4], %a;
        st.local.v2.u8 [depot], {%h, %h};
        ld.shared.u64 %d0, [%x];
        ld.local.u64 %d1, [depot];
    """
    body = body.replace("st.local.v2.u8", "cvt.u16.u32 %h, %a;\nst.local.v2.u8")
    both = lambda a: (a & 0xFF) << 8 | (a & 0xFFFF) << 16 | x.F32.one << 32
    other = lambda a: (a & 0xFF) << 56 | (a & 0xFFFF) << 32 | (a & 0xFF) * 0x0101
    return Case("st_narrow", ["u32"], [(0x12345678,), (0xFFFFFFFF,), (0x80,)], [
        Out("u64", "st.shared", both), Out("u64", "st.local", other)], body, ".reg .b32 %x;\n.reg .b16 %h;", module)


def st():
    return st_types(".global") + st_types("") + st_vectors() + st_mixed() + st_elsewhere(".shared") + st_elsewhere(
        ".local") + st_elsewhere(".volatile.shared") + st_modifiers() + [st_immediates(), st_narrow_spaces()]


def cvta():
    module = """
        .global .align 4 .u32 in_global = 11;
        .const .align 4 .u32 in_const = 22;
        .shared .align 4 .u32 in_shared;
    """
    body = """
        .local .align 4 .u32 in_local;
        mov.u64 %x, in_global;
        cvta.global.u64 %y, %x;
        ld.u32 %d0, [%y];
        cvta.to.global.u64 %y, %y;
        ld.global.u32 %d1, [%y];
        mov.u64 %x, in_const;
        cvta.const.u64 %y, %x;
        ld.u32 %d2, [%y];
        cvta.to.const.u64 %y, %y;
        ld.const.u32 %d3, [%y];
        st.shared.u32 [in_shared], 33;
        mov.u64 %x, in_shared;
        cvta.shared.u64 %y, %x;
        ld.u32 %d4, [%y];
        cvta.to.shared.u64 %y, %y;
        ld.shared.u32 %d5, [%y];
        st.local.u32 [in_local], 44;
        mov.u64 %x, in_local;
        cvta.local.u64 %y, %x;
        ld.u32 %d6, [%y];
        cvta.to.local.u64 %y, %y;
        ld.local.u32 %d7, [%y];
        cvta.shared.u64 %y, in_shared;
        ld.u32 %d8, [%y];
    """
    labels = [f"cvta.{to}{space}.u64" for space in ("global", "const", "shared", "local") for to in ("", "to.")]
    outs = [Out("u32", label, lambda v=v: v) for label, v in zip(labels + ["cvta.shared.u64 in_shared"],
                                                                [11, 11, 22, 22, 33, 33, 44, 44, 33])]
    return [Case("cvta", [], [()], outs, body, ".reg .b64 %x, %y;", module)]


def isspacep():
    spaces = ["global", "const", "shared", "local"]
    module = """
        .global .align 4 .u32 in_global = 11;
        .const .align 4 .u32 in_const = 22;
        .shared .align 4 .u32 in_shared;
    """
    body = "\n.local .align 4 .u32 in_local;\n"
    outs = []
    for i, where in enumerate(spaces):
        body += f"mov.u64 %x, in_{where};\ncvta.{where}.u64 %y, %x;\n"
        for k, asked in enumerate(spaces):
            body += f"isspacep.{asked} %p, %y;\nselp.u32 %d{4 * i + k}, 1, 0, %p;\n"
            outs.append(Out("u32", f"isspacep.{asked} of {where}", lambda v=int(asked == where): v))
    return [Case("isspacep", [], [()], outs, body, ".reg .b64 %x, %y;", module)]


def prefetch(opcode):
    forms = {"prefetch": ["prefetch.global.L1 [%in]", "prefetch.global.L2 [%in+8]", "prefetch.global.L2::evict_last [%in]"],
             "prefetchu": ["prefetchu.L1 [%g]"]}[opcode]
    body = "ld.param.u64 %g, [in];\n" + "".join(f + ";\n" for f in forms)
    return [Case(opcode, ["u32"], [(1,), (2,)], [op("u32", "mov.u32 %d, %a;", lambda a: a)], body, ".reg .b64 %g;")]


def ldu():
    outs = [op("u32", "ldu.global.u32 %d, [%in];", lambda a: n.cut(a, 32)),
            op("f64", "ldu.global.f64 %d, [%in];", lambda a: a)]
    cases = [Case("ldu_global", ["b64"], SLOTS, outs)]
    return cases


FILES = {
    "st": ("st: every type, vector width and modifier; the bytes beside stay", st),
    "cvta": ("cvta: generic addresses and back", cvta),
    "isspacep": ("isspacep: which window a generic address lies in", isspacep),
    "prefetch": ("prefetch: changes nothing that a kernel can see", lambda: prefetch("prefetch")),
    "prefetchu": ("prefetchu: changes nothing that a kernel can see", lambda: prefetch("prefetchu")),
    "ldu": ("ldu: loads as ld does", ldu),
}
