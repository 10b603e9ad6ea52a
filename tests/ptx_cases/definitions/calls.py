"""call: parameters, results, recursion."""
import expected as x
import integers as n
from case_file import Case, Out


def call():
    module = """
        .visible .func (.param .b32 sum) add_three(.param .b32 a, .param .b64 b, .param .f32 c);
        .func (.param .b32 result) factorial(.param .b32 number)
        {
            .reg .b32 %n, %m, %r;
            .reg .pred %p;
            ld.param.b32 %n, [number];
            setp.gt.u32 %p, %n, 1;
            mov.u32 %r, 1;
            @!%p bra done;
            sub.u32 %m, %n, 1;
            {
                .param .b32 p0;
                .param .b32 r0;
                st.param.b32 [p0], %m;
                call.uni (r0), factorial, (p0);
                ld.param.b32 %r, [r0];
            }
            mul.lo.u32 %r, %r, %n;
        done:
            st.param.b32 [result], %r;
            ret;
        }
        .func (.param .align 8 .b8 result[16]) swap_halves(.param .align 8 .b8 both[16])
        {
            .reg .b64 %x, %y;
            ld.param.b64 %x, [both];
            ld.param.b64 %y, [both+8];
            st.param.b64 [result], %y;
            st.param.b64 [result+8], %x;
            ret;
        }
        .func (.param .f64 result) half_of(.param .f64 number)
        {
            .reg .f64 %x;
            ld.param.f64 %x, [number];
            mul.f64 %x, %x, 0.5;
            st.param.f64 [result], %x;
            ret;
        }
        .func write_word(.param .b64 address, .param .b32 word)
        {
            .reg .b64 %p;
            .reg .b32 %w;
            ld.param.b64 %p, [address];
            ld.param.b32 %w, [word];
            st.u32 [%p], %w;
            ret;
        }
        .func (.param .b32 result) sum_of_own_array(.param .b32 seed)
        {
            .local .align 4 .b8 own[32];
            .reg .b32 %s, %i, %v;
            .reg .b64 %base, %at;
            .reg .pred %p;
            ld.param.b32 %s, [seed];
            mov.u64 %base, own;
            mov.u32 %i, 0;
        fill:
            mad.wide.u32 %at, %i, 4, %base;
            mad.lo.u32 %v, %i, %i, %s;
            st.local.u32 [%at], %v;
            add.u32 %i, %i, 1;
            setp.lt.u32 %p, %i, 8;
            @%p bra fill;
            mov.u32 %s, 0;
        sum:
            sub.u32 %i, %i, 1;
            mad.wide.u32 %at, %i, 4, %base;
            ld.local.u32 %v, [%at];
            add.u32 %s, %s, %v;
            setp.gt.u32 %p, %i, 0;
            @%p bra sum;
            st.param.b32 [result], %s;
            ret;
        }
        .func (.param .b32 sum) add_three(.param .b32 a, .param .b64 b, .param .f32 c)
        {
            .reg .b32 %a, %b, %c;
            .reg .b64 %w;
            .reg .f32 %f;
            ld.param.b32 %a, [a];
            ld.param.b64 %w, [b];
            cvt.u32.u64 %b, %w;
            ld.param.f32 %f, [c];
            cvt.rzi.s32.f32 %c, %f;
            add.u32 %a, %a, %b;
            add.u32 %a, %a, %c;
            st.param.b32 [sum], %a;
            ret;
        }
    """.replace(".visible .func", ".func")
    body = """
        {
            .param .b32 p0;
            .param .b64 p1;
            .param .f32 p2;
            .param .b32 r0;
            st.param.b32 [p0], %a;
            st.param.b64 [p1], %b;
            st.param.f32 [p2], 0fC1200000;
            call.uni (r0), add_three, (p0, p1, p2);
            ld.param.b32 %d0, [r0];
        }
        {
            .param .b32 p0;
            .param .b32 r0;
            and.b32 %x, %a, 7;
            st.param.b32 [p0], %x;
            call.uni (r0), factorial, (p0);
            ld.param.b32 %d1, [r0];
        }
        {
            .param .align 8 .b8 p0[16];
            .param .align 8 .b8 r0[16];
            st.param.b64 [p0], %b;
            st.param.b64 [p0+8], 77;
            call.uni (r0), swap_halves, (p0);
            ld.param.b64 %d2, [r0];
            ld.param.v2.b32 {%x, %d3}, [r0+8];
        }
        st.global.u32 [%out+32], 5;
        setp.gt.u32 %p, %a, 3;
        @!%p bra skip;
        ld.param.u64 %g, [out];
        mad.wide.u32 %g, %thread, 64, %g;
        add.u64 %g, %g, 32;
        {
            .param .b64 p0;
            .param .b32 p1;
            st.param.b64 [p0], %g;
            st.param.b32 [p1], %a;
            call.uni write_word, (p0, p1);
        }
    skip:
        ld.global.u32 %d4, [%out+32];
        {
            .param .b32 p0;
            .param .b32 r0;
            st.param.b32 [p0], %a;
            call (r0), sum_of_own_array, (p0);
            ld.param.b32 %d5, [r0];
        }
        mov.u32 %d6, 0;
        {
            .param .b32 p0;
            .param .b32 r0;
            st.param.b32 [p0], %a;
            @%p call (r0), factorial, (p0);
            ld.param.b32 %x, [r0];
        }
        selp.u32 %d6, %x, 0, %p;
        {
            .param .f64 p0;
            .param .f64 r0;
            cvt.rn.f64.u32 %d7, %a;
            st.param.f64 [p0], %d7;
            call.uni (r0), half_of, (p0);
            ld.param.f64 %d7, [r0];
        }
    """

    def factorial(k):
        return 1 if k < 2 else n.cut(k * factorial(k - 1), 32)
    rows = [(i % 9, 1000 + (i << 32)) for i in range(40)]
    outs = [
        Out("u32", "call.uni with three parameters", lambda a, b: n.cut(a + b - 10, 32)),
        Out("u32", "call.uni of itself", lambda a, b: factorial(a & 7)),
        Out("u64", "call.uni with an array", lambda a, b: 77),
        Out("u32", "call.uni with an array, upper word", lambda a, b: b >> 32),
        Out("u32", "call.uni without result, in a branch", lambda a, b: a if a > 3 else 5),
        Out("u32", "call of a function with local memory", lambda a, b: 8 * a + 140),
        Out("u32", "@%p call", lambda a, b: factorial(a) if a > 3 else 0),
        Out("f64", "call.uni with an f64", lambda a, b: x.of(x.F64, a / 2)),
    ]
    return [Case("call", ["u32", "u64"], rows, outs, body, ".reg .b32 %x;\n.reg .b64 %g;", module)]


FILES = {
    "call": ("call: parameters, results, arrays, recursion, local memory, guards", call),
}
