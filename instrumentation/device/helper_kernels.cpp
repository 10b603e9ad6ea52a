#include "instrumentation/device/helper_kernels.h"

namespace warplens::instrumentation {

const char* const helper_ptx = R"(.version 6.0
.target sm_50
.address_size 64

.visible .entry warplens_compare(
    .param .u64 first, .param .u64 second, .param .u64 units, .param .u64 lowest)
{
    .reg .pred %p<3>;
    .reg .b32 %r<5>;
    .reg .b64 %d<16>;
    ld.param.u64 %d1, [first];
    ld.param.u64 %d2, [second];
    ld.param.u64 %d3, [units];
    ld.param.u64 %d4, [lowest];
    cvta.to.global.u64 %d1, %d1;
    cvta.to.global.u64 %d2, %d2;
    cvta.to.global.u64 %d4, %d4;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mov.u32 %r4, %nctaid.x;
    mul.wide.u32 %d5, %r1, %r2;
    cvt.u64.u32 %d6, %r3;
    add.u64 %d5, %d5, %d6;
    mul.wide.u32 %d7, %r4, %r2;
next:
    setp.ge.u64 %p1, %d5, %d3;
    @%p1 bra done;
    shl.b64 %d8, %d5, 4;
    add.u64 %d9, %d1, %d8;
    add.u64 %d10, %d2, %d8;
    ld.global.v2.u64 {%d11, %d12}, [%d9];
    ld.global.v2.u64 {%d13, %d14}, [%d10];
    xor.b64 %d11, %d11, %d13;
    xor.b64 %d12, %d12, %d14;
    or.b64 %d11, %d11, %d12;
    setp.ne.u64 %p2, %d11, 0;
    @%p2 atom.global.min.u64 %d15, [%d4], %d5;
    add.u64 %d5, %d5, %d7;
    bra next;
done:
    ret;
}

.visible .entry warplens_delay(.param .u32 cycles)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    ld.param.u32 %r1, [cycles];
    mov.u32 %r2, %clock;
again:
    mov.u32 %r3, %clock;
    sub.u32 %r4, %r3, %r2;
    setp.lt.u32 %p1, %r4, %r1;
    @%p1 bra again;
    ret;
}
)";

}  // namespace warplens::instrumentation
