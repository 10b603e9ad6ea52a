// `warplens agree` of two traces that differ in what the order of atomic operations decides, and in more. The
// initial value of the counter sets the order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// queue[atomicAdd(count, 1)] = tid; if (tid + 1 == shift) queue[64] = 1; queue[128 + tid + shift] = tid;
constexpr const char* tickets = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 count, .param .u64 queue, .param .u32 shift)
{
	.reg .pred %p<4>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [count];
	ld.param.u64 %rd2, [queue];
	ld.param.u32 %r1, [shift];
	mov.u32 %r2, %tid.x;
	atom.global.add.u32 %r3, [%rd1], 1;
	mul.wide.u32 %rd3, %r3, 4;
	add.s64 %rd4, %rd2, %rd3;
	st.global.u32 [%rd4], %r2;
	setp.lt.u32 %p1, %r3, 8;
	@%p1 bra JOIN;
	st.global.u32 [%rd2+256], %r2;
JOIN:
	add.u32 %r4, %r2, %r1;
	mul.wide.u32 %rd5, %r4, 4;
	add.s64 %rd6, %rd2, %rd5;
	st.global.u32 [%rd6+512], %r2;
	ret;
}
)";

class AgreeOnTickets : public TypedCommands {
  protected:
    /// A recording of the kernel.
    std::string recorded(const std::string& name, const std::string& first, const std::string& shift) {
        const std::string to = path(name);
        const Outcome outcome = warplens({"record", file("tickets.ptx", tickets), "--grid", "2", "--block",
                                          "64", "--arg", "buffer:u32[1]=const:" + first, "--arg",
                                          "buffer:u32[512]=zero", "--arg", "u32=" + shift, "-o", to});
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return to;
    }
};

TEST_F(AgreeOnTickets, what_the_order_of_atomics_decides_is_named_and_the_rest_compared) {
    const std::string a = recorded("a.wltrace", "0", "1");
    const Outcome same = warplens({"agree", a, recorded("b.wltrace", "0", "1")});
    EXPECT_EQ(same.code, 0) << same.out << same.error;
    EXPECT_THAT(same.out, AllOf(HasSubstr("agree: 4 warps"), Not(HasSubstr("order of"))));
    const Outcome order = warplens({"agree", a, recorded("c.wltrace", "4", "1")});
    EXPECT_EQ(order.code, 0) << order.out << order.error;
    EXPECT_THAT(order.out,
                AllOf(HasSubstr("agree: "), HasSubstr("4 warps"),
                      HasSubstr("order of atom.global.add.u32 (PTX line 13): what depends on it is "
                                "not compared (4 warps)")));
    const Outcome more = warplens({"agree", a, recorded("d.wltrace", "4", "2")});
    EXPECT_EQ(more.code, 1) << more.out << more.error;
    EXPECT_THAT(more.out, AllOf(HasSubstr("differ in 4 of 4 warps"), HasSubstr("(PTX line 24)")));
}

}  // namespace
}  // namespace warplens::app
