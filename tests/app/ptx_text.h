// A small kernel as a .ptx file without a header: out[i] = 2 i.
#pragma once

namespace warplens::app {

inline constexpr const char* doubled = R"ptx(.version 8.0
.target sm_80
.address_size 64

.visible .entry doubled(.param .u64 doubled_out, .param .u32 doubled_n)
{
    .reg .pred %p1;
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [doubled_out];
    ld.param.u32 %r1, [doubled_n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r4, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r4, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    shl.b32 %r5, %r4, 1;
    st.global.u32 [%rd3], %r5;
DONE:
    ret;
}
)ptx";

}  // namespace warplens::app
