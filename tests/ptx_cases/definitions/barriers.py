"""bar, barrier, membar, fence, cp: threads that wait for each other and for memory."""
import integers as n
from case_file import Case, Out


def neighbour(name, wait, threads=64, registers="", setup=""):
    """Thread i hands a word to thread threads - 1 - i, twice, so that the second write waits for the first reads."""
    module = f".shared .align 4 .b8 {name}_words[{4 * threads}];"
    body = setup + f"""
        mov.u32 %x, {name}_words;
        mad.lo.u32 %y, %thread, 4, %x;
        sub.u32 %z, {threads - 1}, %thread;
        mad.lo.u32 %z, %z, 4, %x;
        st.shared.u32 [%y], %a;
        {wait}
        ld.shared.u32 %d0, [%z];
        {wait}
        add.u32 %a, %a, 1000;
        st.shared.u32 [%y], %a;
        {wait}
        ld.shared.u32 %d1, [%z];
    """
    rows = [(i * i + 1,) for i in range(threads)]
    other = lambda i, rows: rows[threads - 1 - i][0]
    label = wait.split(";")[0]
    return Case(name, ["u32"], rows, [Out("u32", label, other), Out("u32", label + " again", lambda i, rows: other(i, rows) + 1000)],
                body, ".reg .b32 %x, %y, %z;\n" + registers, module, by_thread=True)


def reductions(opcode):
    """Some threads, all, none; the count and the two truths reach every thread."""
    rows = [(i % 3 == 0, 1, 0) for i in range(64)]
    rows = [tuple(int(v) for v in row) for row in rows]
    outs = []
    for column, register in enumerate(("%a", "%b", "%c")):
        test = f"setp.ne.u32 %q, {register}, 0;\n"
        total = sum(row[column] for row in rows)
        form = f"{opcode}.red.popc" + (".aligned" if opcode == "barrier" else "")
        outs.append(Out("u32", f"{form}.u32 of {register[1]}", lambda *_, v=total: v, f"{test}{form}.u32 %d, 0, %q;"))
        for word, value in (("and", total == 64), ("or", total > 0)):
            form = f"{opcode}.red.{word}" + (".aligned" if opcode == "barrier" else "")
            outs.append(Out("u32", f"{form}.pred of {register[1]}", lambda *_, v=value: int(v),
                            f"{form}.pred %p, 0, %q;\nselp.u32 %d, 1, 0, %p;"))
    outs.append(Out("u32", f"{opcode}.red.popc.u32 1, 64, !q", lambda *_: 64, f"setp.ne.u32 %q, %c, 0;\n{form_of(opcode, 'popc')}.u32 %d, 1, 64, !%q;"))
    return Case(f"{opcode}_red", ["u32"] * 3, rows, outs)


def form_of(opcode, word):
    return f"{opcode}.red.{word}" + (".aligned" if opcode == "barrier" else "")


def warps_apart(opcode):
    """Two pairs of warps meet at barriers of their own, each as often as it likes."""
    suffix = ".aligned" if opcode == "barrier" else ""
    module = f".shared .align 4 .b8 {opcode}_apart[512];"
    body = f"""
        shr.u32 %n, %thread, 6;
        add.u32 %n, %n, 1;
        mul.lo.u32 %loops, %n, 3;
        mov.u32 %x, {opcode}_apart;
        mad.lo.u32 %y, %thread, 4, %x;
        xor.b32 %z, %thread, 32;
        mad.lo.u32 %z, %z, 4, %x;
    again:
        st.shared.u32 [%y], %a;
        {opcode}.sync{suffix} %n, 64;
        ld.shared.u32 %t, [%z];
        {opcode}.sync{suffix} %n, 64;
        add.u32 %a, %a, %t;
        sub.u32 %loops, %loops, 1;
        setp.ne.u32 %p, %loops, 0;
        @%p bra again;
        mov.u32 %d0, %a;
    """
    rows = [(i + 1,) for i in range(128)]

    def value(i, rows):
        mine, other = rows[i][0], rows[i ^ 32][0]
        for _ in range(3 * (i // 64 + 1)):
            mine, other = mine + other, other + mine
        return mine
    return Case(f"{opcode}_ids", ["u32"], rows, [Out("u32", f"{opcode}.sync id, 64", value)], body,
                ".reg .b32 %n, %loops, %x, %y, %z, %t;", module, by_thread=True)


def producer(opcode):
    """Warp 0 arrives and goes on; warp 1 waits for it."""
    suffix = ".aligned" if opcode == "barrier" else ""
    module = f".shared .align 4 .b8 {opcode}_produced[128];"
    body = f"""
        mov.u32 %x, {opcode}_produced;
        and.b32 %y, %thread, 31;
        mad.lo.u32 %x, %y, 4, %x;
        mov.u32 %d0, 0;
        setp.lt.u32 %p, %thread, 32;
        @%p bra produce;
        {opcode}.sync{suffix} 3, 64;
        ld.shared.u32 %d0, [%x];
        bra.uni done;
    produce:
        st.shared.u32 [%x], %a;
        {opcode}.arrive{suffix} 3, 64;
    done:
    """
    rows = [(i + 500,) for i in range(64)]
    return Case(f"{opcode}_arrive", ["u32"], rows, [Out("u32", f"{opcode}.arrive", lambda i, rows: rows[i - 32][0] if i >= 32 else 0)],
                body, ".reg .b32 %x, %y;", module, by_thread=True)


def bar():
    warp = neighbour("bar_warp_sync", "bar.warp.sync 0xffffffff;", 32)
    part = """
        setp.ge.u32 %p, %thread, 16;
        @%p bra upper;
        st.shared.u32 [%y], %a;
        bar.warp.sync 0xffff;
        ld.shared.u32 %d0, [%z];
        bra.uni met;
    upper:
        st.shared.u32 [%y], %a;
        bar.warp.sync 0xffff0000;
        ld.shared.u32 %d0, [%z];
    met:
    """
    body = """
        mov.u32 %x, bar_warp_part;
        mad.lo.u32 %y, %thread, 4, %x;
        xor.b32 %z, %thread, 5;
        mad.lo.u32 %z, %z, 4, %x;
    """ + part
    parts = Case("bar_warp_sync_in_parts", ["u32"], [(i * 11,) for i in range(32)], [
        Out("u32", "bar.warp.sync of half a warp", lambda i, rows: rows[i ^ 5][0])], body, ".reg .b32 %x, %y, %z;",
        ".shared .align 4 .b8 bar_warp_part[128];", by_thread=True)
    return [neighbour("bar_sync", "bar.sync 0;"), neighbour("bar_sync_odd", "bar.sync 0;", 77),
            neighbour("bar_sync_register", "bar.sync %id, %count;", 64, ".reg .b32 %id, %count;",
                      "mov.u32 %id, 15;\nmov.u32 %count, 64;\n"),
            neighbour("bar_cta_sync", "bar.cta.sync 2;"), reductions("bar"), warps_apart("bar"), producer("bar"), warp, parts]


def barrier():
    diverged = """
        mov.u32 %x, barrier_diverged_words;
        mad.lo.u32 %y, %thread, 4, %x;
        xor.b32 %z, %thread, 63;
        mad.lo.u32 %z, %z, 4, %x;
        and.b32 %t, %thread, 1;
        setp.ne.u32 %p, %t, 0;
        st.shared.u32 [%y], %a;
        @%p bra odd;
        barrier.sync 0;
        ld.shared.u32 %d0, [%z];
        bra.uni met;
    odd:
        barrier.sync 0;
        ld.shared.u32 %d0, [%z];
        add.u32 %d0, %d0, 1;
    met:
    """
    rows = [(i * 9,) for i in range(64)]
    apart = Case("barrier_diverged", ["u32"], rows, [Out("u32", "barrier.sync on both sides of a branch", lambda i, rows:
                 rows[63 - i][0] + i % 2)], diverged, ".reg .b32 %x, %y, %z, %t;",
                 ".shared .align 4 .b8 barrier_diverged_words[256];", by_thread=True)
    return [neighbour("barrier_sync", "barrier.sync 0;"), neighbour("barrier_sync_aligned", "barrier.sync.aligned 1;"),
            neighbour("barrier_cta_sync", "barrier.cta.sync 0, 64;"), reductions("barrier"), warps_apart("barrier"),
            producer("barrier"), apart]


def handshake(name, fences):
    """Warp 1 publishes a word behind a fence and warp 0 waits for the flag, a form of the fence after another."""
    cases = []
    for i, fence in enumerate(fences):
        module = f".global .align 4 .u32 {name}_word_{i};\n.global .align 4 .u32 {name}_flag_{i};"
        body = f"""
            mov.u32 %d0, 0;
            setp.lt.u32 %p, %thread, 32;
            @%p bra consume;
            setp.ne.u32 %p, %thread, 32;
            @%p bra done;
            st.global.u32 [{name}_word_{i}], 1234;
            {fence};
            st.volatile.global.u32 [{name}_flag_{i}], 1;
            bra.uni done;
        consume:
            ld.volatile.global.u32 %x, [{name}_flag_{i}];
            setp.eq.u32 %p, %x, 0;
            @%p bra consume;
            {fence};
            ld.global.u32 %d0, [{name}_word_{i}];
        done:
        """
        cases.append(Case(f"{fence.replace('.', '_')}", [], [()] * 64, [
            Out("u32", fence, lambda i, rows: 1234 if i < 32 else 0)], body, ".reg .b32 %x;", module, by_thread=True))
    return cases


def cp():
    """Copies of 4, 8 and 16 bytes, with zeros behind a short source, in groups."""
    module = ".shared .align 16 .b8 copied[2048];"
    body = """
        mov.u32 %x, copied;
        mad.lo.u32 %x, %thread, 64, %x;
        st.shared.v4.u32 [%x], {-1, -1, -1, -1};
        st.shared.v4.u32 [%x+16], {-1, -1, -1, -1};
        st.shared.v4.u32 [%x+32], {-1, -1, -1, -1};
        st.shared.v4.u32 [%x+48], {-1, -1, -1, -1};
        cp.async.ca.shared.global [%x], [%in], 4;
        cp.async.ca.shared.global [%x+8], [%in+8], 8;
        cp.async.commit_group;
        cp.async.ca.shared.global [%x+16], [%in], 16;
        cp.async.commit_group;
        cp.async.cg.shared.global [%x+32], [%in], 16, 8;
        mov.u32 %y, 3;
        cp.async.cg.shared.global.L2::128B [%x+48], [%in], 16, %y;
        cp.async.commit_group;
        cp.async.wait_group 1;
        ld.shared.u64 %d0, [%x];
        ld.shared.u64 %d1, [%x+8];
        ld.shared.u64 %d2, [%x+16];
        ld.shared.u64 %d3, [%x+24];
        cp.async.wait_all;
        ld.shared.u64 %d4, [%x+32];
        ld.shared.u64 %d5, [%x+40];
        ld.shared.u64 %d6, [%x+48];
        ld.shared.u64 %d7, [%x+56];
    """
    outs = [
        Out("u64", "cp.async 4 bytes", lambda a, b: a & 0xFFFFFFFF | 0xFFFFFFFF00000000),
        Out("u64", "cp.async 8 bytes", lambda a, b: b),
        Out("u64", "cp.async 16 bytes", lambda a, b: a), Out("u64", "cp.async 16 bytes, upper", lambda a, b: b),
        Out("u64", "cp.async 8 of 16 bytes", lambda a, b: a), Out("u64", "cp.async 8 of 16 bytes, upper", lambda a, b: 0),
        Out("u64", "cp.async 3 of 16 bytes", lambda a, b: a & 0xFFFFFF), Out("u64", "cp.async 3 of 16 bytes, upper", lambda a, b: 0),
    ]
    rows = [(n.cut(0x9E3779B97F4A7C15 * (i + 1), 64), n.cut(0xC2B2AE3D27D4EB4F * (i + 7), 64)) for i in range(32)]
    cases = [Case("cp_async", ["u64", "u64"], rows, outs, body, ".reg .b32 %x, %y;", module)]
    body = """
        mov.u64 %x, exchanged;
        cvta.shared.u64 %x, %x;
        cvta.to.shared.u64 %x, %x;
        mad.wide.u32 %y, %thread, 4, %x;
        cp.async.ca.shared.global [%y], [%in], 4;
        cp.async.wait_all;
        bar.sync 0;
        xor.b32 %z, %thread, 33;
        mad.wide.u32 %y, %z, 4, %x;
        ld.shared.u32 %d0, [%y];
    """
    rows = [(i * 17,) for i in range(64)]
    return cases + [Case("cp_async_for_others", ["u32"], rows, [
        Out("u32", "cp.async, seen by another thread", lambda i, rows: rows[i ^ 33][0])], body,
        ".reg .b64 %x, %y;\n.reg .b32 %z;", ".shared .align 16 .b8 exchanged[256];", by_thread=True)]


FILES = {
    "bar": ("bar: threads of a block and of a warp wait for each other, and count", bar),
    "barrier": ("barrier: as bar, and on both sides of a branch", barrier),
    "membar": ("membar: a word behind a flag", lambda: handshake("membar", ["membar.cta", "membar.gl", "membar.sys"])),
    "fence": ("fence: a word behind a flag", lambda: handshake("fence", [
        "fence.sc.cta", "fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.sc.gpu", "fence.sc.sys"])),
    "cp": ("cp.async: copies of each size, zeros behind a short source, groups", cp),
}
