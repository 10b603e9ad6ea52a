"""mov: values, vectors, special registers, addresses."""
import integers as n
from case_file import Case, Out, op
from definitions.float_arithmetic import FORMATS
from definitions.operands import edges, float_edges


def mov():
    cases = []
    for t in ("u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64"):
        outs = [op(t, f"mov.{t} %d, %a;", lambda a: a),
                op(t, f"mov.{t} %d, -2;", lambda a, bits=n.width(t): (1 << bits) - 2)]
        cases.append(Case(f"mov_{t}", [t], [(a,) for a in edges(t)], outs))
    for t, constant in (("f32", "0f7FC00001"), ("f64", "0dFFF0000000000001")):
        f = FORMATS[t]
        cases.append(Case(f"mov_{t}", [t], [(a,) for a in float_edges(f)], [
            op(t, f"mov.{t} %d, %a;", lambda a: a),
            op(t, f"mov.{t} %d, {constant};", lambda a, c=constant: int(c[2:], 16)),
            op("b" + t[1:], f"mov.b{t[1:]} %d, %a;", lambda a: a)]))
    return cases + [mov_vectors(), mov_predicate(), mov_special(), mov_masks(), mov_clock(), mov_address(), mov_sizes()]


def mov_vectors():
    part = lambda a, i, bits: a >> bits * i & (1 << bits) - 1
    body = """
        mov.b64 {%x0, %x1}, %a;
        mov.b64 %d0, {%x1, %x0};
        mov.b64 {%h0, %h1, %h2, %h3}, %a;
        mov.b64 %d1, {%h3, %h2, %h1, %h0};
        mov.b32 {%h0, %h1}, %x0;
        mov.b32 %d2, {%h1, %h0};
        mov.b64 {%f0, %f1}, %a;
        mov.b64 %d3, {%f0, %f0};
        mov.b64 {_, %d4}, %a;
        mov.b32 {%c0, %c1, %c2, %c3}, %x1;
        cvt.u16.u8 %d5, %c2;
        mov.b32 %d6, {%c3, %c2, %c1, %c0};
    """
    registers = ".reg .b32 %x0, %x1;\n.reg .b16 %h0, %h1, %h2, %h3;\n.reg .f32 %f0, %f1;\n.reg .b8 %c0, %c1, %c2, %c3;"
    outs = [
        Out("b64", "mov.b64 {b32, b32}", lambda a: part(a, 1, 32) | part(a, 0, 32) << 32),
        Out("b64", "mov.b64 {b16, b16, b16, b16}", lambda a: sum(part(a, 3 - i, 16) << 16 * i for i in range(4))),
        Out("b32", "mov.b32 {b16, b16}", lambda a: part(a, 1, 16) | part(a, 0, 16) << 16),
        Out("b64", "mov.b64 {f32, f32}", lambda a: part(a, 0, 32) * 0x100000001),
        Out("b32", "mov.b64 {_, b32}", lambda a: part(a, 1, 32)),
        Out("u16", "mov.b32 {b8, b8, b8, b8}", lambda a: part(a, 6, 8)),
        Out("b32", "mov.b32 {b8, b8, b8, b8}", lambda a: sum(part(a, 7 - i, 8) << 8 * i for i in range(4))),
    ]
    return Case("mov_vectors", ["b64"], [(0x0123456789ABCDEF,), (0xFEDCBA9876543210,), (0x7FF0000180000000,)], outs, body,
                registers)


def mov_predicate():
    body = """
        setp.ne.u32 %p, %a, 0;
        mov.pred %q, %p;
        selp.u32 %d0, 1, 0, %q;
        mov.pred %q, 1;
        selp.u32 %d1, 1, 0, %q;
        mov.pred %q, 0;
        selp.u32 %d2, 1, 0, %q;
    """
    return Case("mov_pred", ["u32"], [(0,), (1,), (2,)], [
        Out("u32", "mov.pred", lambda a: int(a != 0)), Out("u32", "mov.pred 1", lambda a: 1),
        Out("u32", "mov.pred 0", lambda a: 0)], body)


def mov_special():
    """A block of 5 x 4 x 3 threads: 60, so that the second warp is not full."""
    shape = (5, 4, 3)
    at = lambda i: (i % 5, i // 5 % 4, i // 20)
    outs = []
    for k, axis in enumerate("xyz"):
        outs += [
            op("u32", f"mov.u32 %d, %tid.{axis};", lambda i, rows, k=k: at(i)[k]),
            op("u32", f"mov.u32 %d, %ntid.{axis};", lambda i, rows, k=k: shape[k]),
            op("u32", f"mov.u32 %d, %ctaid.{axis};", lambda i, rows: 0),
            op("u32", f"mov.u32 %d, %nctaid.{axis};", lambda i, rows: 1),
        ]
    outs += [Out("u32", f"mov.v4.u32 %tid, {'xyzw'[k]}", lambda i, rows, k=k: (at(i) + (0,))[k],
                 f"mov.v4.u32 {{%v0, %v1, %v2, %v3}}, %tid;\nmov.u32 %d, %v{k};") for k in range(4)]
    for out in outs[:-4]:
        out.label = out.code[:-1].replace(" %d,", "")
    outs += [op("u32", "mov.u32 %d, WARP_SZ;", lambda i, rows: 32),
             op("u16", "mov.u16 %d, %tid.y;", lambda i, rows: at(i)[1])]
    for out in outs[-2:]:
        out.label = out.code[:-1].replace(" %d,", "")
    return Case("mov_special_registers", [], [()] * 60, outs, registers=".reg .b32 %v0, %v1, %v2, %v3;", block=shape,
                by_thread=True)


def mov_masks():
    lane = lambda i: i % 32
    masks = {"eq": lambda l: 1 << l, "lt": lambda l: (1 << l) - 1, "le": lambda l: (2 << l) - 1,
             "gt": lambda l: n.cut(-(2 << l), 32), "ge": lambda l: n.cut(-(1 << l), 32)}
    outs = [op("u32", "mov.u32 %d, %laneid;", lambda i, rows: lane(i))]
    outs += [op("u32", f"mov.u32 %d, %lanemask_{w};", lambda i, rows, g=g: g(lane(i))) for w, g in masks.items()]
    for out in outs:
        out.label = out.code[:-1].replace(" %d,", "")
    return Case("mov_lane_masks", [], [()] * 64, outs, by_thread=True)


def mov_clock():
    """Clocks never run backwards."""
    body = """
        mov.u64 %t0, %clock64;
        mov.u64 %t1, %clock64;
        setp.le.u64 %p, %t0, %t1;
        selp.u32 %d0, 1, 0, %p;
        mov.u64 %t0, %globaltimer;
        mov.u64 %t1, %globaltimer;
        setp.le.u64 %p, %t0, %t1;
        selp.u32 %d1, 1, 0, %p;
        mov.u32 %x, %smid;
        mov.u32 %x, %warpid;
        mov.u32 %x, %clock;
    """
    return Case("mov_clocks", [], [()] * 2, [Out("u32", "mov.u64 %clock64", lambda: 1),
                                             Out("u32", "mov.u64 %globaltimer", lambda: 1)], body,
                ".reg .u64 %t0, %t1;\n.reg .b32 %x;")


def mov_address():
    module = ".global .align 4 .u32 numbers[4] = {11, 22, 33, 44};\n.shared .align 8 .b8 scratch[64];"
    body = """
        mov.u64 %x, numbers;
        ld.global.u32 %d0, [%x+4];
        mov.u64 %x, numbers+8;
        ld.global.u32 %d1, [%x];
        mov.u32 %y, scratch;
        st.shared.u32 [%y+8], 77;
        mov.u64 %x, scratch;
        ld.shared.u32 %d2, [%x+8];
        ld.shared.u32 %d3, [scratch+8];
    """
    outs = [Out("u32", label, lambda v=v: v) for label, v in
            [("mov.u64 numbers", 22), ("mov.u64 numbers+8", 33), ("mov.u64 scratch", 77), ("ld.shared [scratch+8]", 77)]]
    return Case("mov_address", [], [()], outs, body, ".reg .b64 %x;\n.reg .b32 %y;", module)


def mov_sizes():
    """Symbols of .shared memory stand where their alignment allows, and do not overlap."""
    module = ".shared .align 1 .b8 first[3];\n.shared .align 16 .b8 second[16];\n.shared .align 4 .b8 third[4];"
    body = """
        mov.u32 %x, first;
        mov.u32 %y, second;
        and.b32 %d0, %y, 15;
        mov.u32 %z, third;
        and.b32 %d1, %z, 3;
        st.shared.u8 [%x+2], 1;
        st.shared.v4.u32 [%y], {2, 2, 2, 2};
        st.shared.u32 [%z], 3;
        ld.shared.u8 %d2, [first+2];
        ld.shared.u32 %d3, [second+12];
        ld.shared.u32 %d4, [third];
    """
    outs = [Out("u32", label, lambda v=v: v) for label, v in [
        ("second is aligned to 16", 0), ("third is aligned to 4", 0), ("first", 1), ("second", 2), ("third", 3)]]
    return Case("mov_shared_layout", [], [()], outs, body, ".reg .b32 %x, %y, %z;", module)


FILES = {
    "mov": ("mov: every type, packing and unpacking, special registers, addresses", mov),
}
