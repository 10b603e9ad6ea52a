"""bra … trap: branches and ends."""
from case_file import Case, Out


def collatz(a):
    steps = 0
    while a != 1:
        a = 3 * a + 1 if a % 2 else a // 2
        steps += 1
    return steps


def bra():
    loop = """
        mov.u32 %d0, 0;
    again:
        setp.eq.u32 %p, %a, 1;
        @%p bra done;
        and.b32 %x, %a, 1;
        setp.eq.u32 %q, %x, 0;
        @%q bra even;
        mad.lo.u32 %a, %a, 3, 1;
        bra.uni counted;
    even:
        shr.u32 %a, %a, 1;
    counted:
        add.u32 %d0, %d0, 1;
        bra again;
    done:
    """
    cases = [Case("bra_collatz", ["u32"], [(i + 1,) for i in range(40)], [Out("u32", "bra", collatz)], loop, ".reg .b32 %x;")]
    nested = """
        mov.u32 %d0, 0;
        mov.u32 %i, 0;
    rows:
        setp.ge.u32 %p, %i, %a;
        @%p bra after;
        mov.u32 %j, 0;
    columns:
        setp.gt.u32 %p, %j, %i;
        @%p bra next;
        setp.eq.u32 %q, %j, 2;
        @!%q bra plain;
        add.u32 %d0, %d0, 100;
        bra next;
    plain:
        add.u32 %d0, %d0, 1;
        add.u32 %j, %j, 1;
        bra columns;
    next:
        add.u32 %i, %i, 1;
        bra rows;
    after:
    """

    def count(a):
        total = 0
        for i in range(a):
            for j in range(i + 1):
                if j == 2:
                    total += 100
                    break
                total += 1
        return total
    cases.append(Case("bra_nested", ["u32"], [(a,) for a in (0, 1, 2, 3, 4, 7, 9, 30)], [Out("u32", "bra out of two loops", count)],
                      nested, ".reg .b32 %i, %j;"))
    switch = """
        setp.eq.u32 %p, %a, 0;
        @%p bra zero;
        setp.eq.u32 %p, %a, 1;
        @%p bra one;
        setp.eq.u32 %p, %a, 2;
        @%p bra two;
        mov.u32 %d0, 1000;
        bra after;
    zero:
        mov.u32 %d0, 10;
        bra after;
    one:
        mov.u32 %d0, 20;
    two:
        add.u32 %d0, %a, 300;
    after:
        setp.gt.u32 %p, %a, 2;
        {
            .reg .u32 %local;
            @!%p bra inner;
            mov.u32 %local, 5;
            add.u32 %d0, %d0, %local;
        inner:
        }
    """
    cases.append(Case("bra_switch", ["u32"], [(i % 5,) for i in range(32)], [
        Out("u32", "bra over a switch that falls through", lambda a: {0: 10, 1: 301, 2: 302}.get(a, 1005))], switch))
    return cases


def brx():
    body = """
        mov.u32 %d0, 0;
        min.u32 %x, %a, 2;
        targets: .branchtargets first, second, third;
        brx.idx %x, targets;
    first:
        add.u32 %d0, %d0, 1;
    second:
        add.u32 %d0, %d0, 10;
    third:
        add.u32 %d0, %d0, 100;
    """
    return [Case("brx_idx", ["u32"], [(i % 4,) for i in range(32)], [
        Out("u32", "brx.idx", lambda a: [111, 110, 100, 100][a])], body, ".reg .b32 %x;")]


def leaving(opcode):
    """Lanes that leave early write one value, the others two."""
    body = f"""
        st.global.u32 [%out], 1;
        setp.lt.u32 %p, %a, 10;
        @%p {opcode};
        st.global.u32 [%out+8], 2;
        setp.gt.u32 %p, %a, 20;
        @!%p bra rest;
        st.global.u32 [%out+8], 3;
        {opcode};
    rest:
        st.global.u32 [%out], 4;
    """
    rows = [(i * 7 % 32,) for i in range(48)]
    first = lambda a: 4 if 10 <= a <= 20 else 1
    second = lambda a: 0xCCCCCCCC if a < 10 else 3 if a > 20 else 2
    return Case(f"{opcode}_early", ["u32"], rows, [
        Out("u32", f"{opcode} 1", first), Out("u32", f"{opcode} 2", second)], body, stores=False)


def leaving_before_barrier(opcode):
    """Threads that left no longer count at a barrier; a whole warp leaves as well."""
    module = f".shared .align 4 .b8 left_by_{opcode}[512];"
    body = f"""
        mov.u32 %x, left_by_{opcode};
        mad.lo.u32 %x, %thread, 4, %x;
        st.shared.u32 [%x], %a;
        bar.sync 0;
        setp.ge.u32 %p, %thread, 64;
        @%p {opcode};
        xor.b32 %y, %thread, 32;
        mov.u32 %x, left_by_{opcode};
        mad.lo.u32 %x, %y, 4, %x;
        ld.shared.u32 %y, [%x];
        bar.sync 0;
        st.global.u32 [%out], %y;
    """
    rows = [(i * 3,) for i in range(96)]
    return Case(f"{opcode}_before_barrier", ["u32"], rows, [Out("u32", f"{opcode} before bar.sync", lambda i, rows:
                rows[i ^ 32][0] if i < 64 else 0xCCCCCCCC)], body, ".reg .b32 %x, %y;", module, stores=False, by_thread=True)


def exit_():
    module = """
        .func leave_when_odd(.param .b32 number)
        {
            .reg .b32 %n;
            .reg .pred %odd;
            ld.param.b32 %n, [number];
            and.b32 %n, %n, 1;
            setp.ne.u32 %odd, %n, 0;
            @%odd exit;
            ret;
        }
    """
    body = """
        st.global.u32 [%out], 1;
        { .param .b32 p0; st.param.b32 [p0], %a; call.uni leave_when_odd, (p0); }
        st.global.u32 [%out], 2;
    """
    return [leaving("exit"), leaving_before_barrier("exit"), Case("exit_in_function", ["u32"], [(i,) for i in range(32)], [
        Out("u32", "exit", lambda a: 1 if a % 2 else 2)], body, module=module, stores=False)]


def ret():
    module = """
        .func (.param .b32 result) first_power_above(.param .b32 limit)
        {
            .reg .b32 %limit, %power;
            .reg .pred %p;
            ld.param.b32 %limit, [limit];
            mov.u32 %power, 1;
        more:
            setp.gt.u32 %p, %power, %limit;
            st.param.b32 [result], %power;
            @%p ret;
            shl.b32 %power, %power, 1;
            bra more;
        }
    """
    body = """
        {
            .param .b32 p0;
            .param .b32 r0;
            st.param.b32 [p0], %a;
            call.uni (r0), first_power_above, (p0);
            ld.param.b32 %d0, [r0];
        }
    """
    rows = [(a,) for a in (0, 1, 2, 3, 4, 100, 1000, 65535, 7)]
    return [leaving("ret"), leaving_before_barrier("ret"), Case("ret_at_different_times", ["u32"], rows, [
        Out("u32", "ret", lambda a: 1 << a.bit_length())], body, module=module)]


def nanosleep():
    body = "nanosleep.u32 20;\nmov.u32 %x, 3;\nnanosleep.u32 %x;\nadd.u32 %d0, %a, 1;"
    return [Case("nanosleep", ["u32"], [(1,), (2,)], [Out("u32", "nanosleep.u32", lambda a: a + 1)], body, ".reg .b32 %x;")]


def trap():
    body = """
        setp.eq.u32 %p, %a, 3;
        @%p trap;
    """
    harmless = Case("trap_that_no_lane_takes", ["u32"], [(1,), (2,)], [Out("u32", "trap", lambda a: a)],
                    body + "mov.u32 %d0, %a;")
    taken = Case("trap_taken", ["u32"], [(i,) for i in range(8)], [Out("u32", "trap", lambda a: 0xCCCCCCCC)], body + """
        setp.ne.u32 %p, %a, 99;
        @%p trap;
    """, problem="trap", stores=False)
    return [harmless, taken]


FILES = {
    "bra": ("bra: loops of different lengths, nested loops, a switch, scopes", bra),
    "brx": ("brx.idx: a jump through a table", brx),
    "ret": ("ret: lanes that end at different times", ret),
    "exit": ("exit: lanes that end at different times, also inside a function", exit_),
    "nanosleep": ("nanosleep: changes nothing that a kernel can see", nanosleep),
    "trap": ("trap: ends the run and says so, when a lane takes it", trap),
}
