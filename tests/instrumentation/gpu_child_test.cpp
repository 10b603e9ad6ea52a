// The recorder's child may crash, hang, or send invalid and false messages: the recorder survives and reports
// it, and the next child does the work. And the wire between them, byte by byte.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "core/json_text.h"
#include "instrumentation/device/shared_region.h"
#include "instrumentation/device/wire.h"
#include "tests/instrumentation/recorder_fixture.h"

namespace warplens::instrumentation {

using testing::AnyOf;
using testing::HasSubstr;
using FailureKind = GpuFailure::Kind;

namespace {

struct Misbehaviour {
    const char* how;
    FailureKind kind;
    const char* words;
};

void PrintTo(const Misbehaviour& misbehaviour, std::ostream* stream) { *stream << misbehaviour.how; }

class GpuChildTest : public GpuRecorderTest, public testing::WithParamInterface<Misbehaviour> {
  protected:
    std::vector<std::string> child(const std::string& how) {
        const std::string marker = testing::TempDir() + "fake_child_" + how;
        std::filesystem::remove(marker);
        return {fake_child(), how, marker};
    }
};

TEST_P(GpuChildTest, is_reported_and_the_next_run_works) {
    GpuRecorder recorder(child(GetParam().how));
    GpuRunOptions options;
    options.time_limit_s = GetParam().kind == FailureKind::time_limit ? 0.05 : 20;
    const auto result = recorder.run(launch(), {variant()}, options);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, GetParam().kind) << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(GetParam().words));
    const auto next = recorder.run(launch(), {variant()}, options);
    EXPECT_TRUE(next.has_value()) << message_of(next);
}

INSTANTIATE_TEST_SUITE_P(
    a_child_that, GpuChildTest,
    testing::Values(Misbehaviour{"start_crash", FailureKind::child_died,
                                 "signal 6 (SIGABRT) while it opened the GPU"},
                    Misbehaviour{"start_exit", FailureKind::child_died, "exit code 3"},
                    Misbehaviour{"start_killed", FailureKind::child_died, "signal 9 (SIGKILL)"},
                    Misbehaviour{"start_garbage", FailureKind::protocol, "does not speak"},
                    Misbehaviour{"start_huge_length", FailureKind::protocol, "does not speak"},
                    Misbehaviour{"start_half", FailureKind::child_died, "exit code 0"},
                    Misbehaviour{"start_nested", FailureKind::protocol, "does not speak"},
                    Misbehaviour{"hello_crash", FailureKind::child_died, "SIGABRT"},
                    Misbehaviour{"hello_silly", FailureKind::protocol, "invalid description"},
                    Misbehaviour{"hello_unknown", FailureKind::protocol, "invalid description"},
                    Misbehaviour{"run_crash", FailureKind::child_died, "signal 6 (SIGABRT) while saxpy ran"},
                    Misbehaviour{"run_exit", FailureKind::child_died, "exit code 3 while saxpy ran"},
                    Misbehaviour{"run_killed", FailureKind::child_died, "signal 9 (SIGKILL) while saxpy ran"},
                    Misbehaviour{"run_hang", FailureKind::time_limit, "saxpy ran longer than 0.05 s"},
                    Misbehaviour{"run_garbage", FailureKind::protocol, "no message"},
                    Misbehaviour{"run_huge_length", FailureKind::protocol, "no message"},
                    Misbehaviour{"run_half", FailureKind::child_died, "exit code 0 while saxpy ran"},
                    Misbehaviour{"run_nested", FailureKind::protocol, "no message"},
                    Misbehaviour{"run_silly", FailureKind::protocol, "without content"},
                    Misbehaviour{"run_unknown", FailureKind::protocol, "unknown message"},
                    Misbehaviour{"missing_unknown", FailureKind::protocol, "needs what there is not"},
                    Misbehaviour{"missing_negative", FailureKind::protocol, "needs what there is not"},
                    Misbehaviour{"missing_twice", FailureKind::protocol, "twice"},
                    Misbehaviour{"region_huge", FailureKind::protocol, "more memory"},
                    Misbehaviour{"region_unknown", FailureKind::protocol, "more memory"},
                    Misbehaviour{"without_end", FailureKind::protocol, "does not come to an end"},
                    Misbehaviour{"no_region", FailureKind::protocol, "more than it has room for"},
                    Misbehaviour{"read_too_much", FailureKind::protocol, "another part"},
                    Misbehaviour{"read_a_part", FailureKind::protocol, "another part"},
                    Misbehaviour{"too_many_chunks", FailureKind::protocol, "another size"},
                    Misbehaviour{"too_many_slabs", FailureKind::protocol, "more slabs"},
                    Misbehaviour{"no_variants", FailureKind::protocol, "other variants"},
                    Misbehaviour{"no_buffers", FailureKind::protocol, "other buffers"},
                    Misbehaviour{"no_clean", FailureKind::protocol, "parts missing"},
                    Misbehaviour{"time_of_words", FailureKind::protocol, "parts missing"},
                    Misbehaviour{"endless_time", FailureKind::protocol, "parts missing"},
                    Misbehaviour{"failure_unknown", FailureKind::protocol, "without a cause"},
                    Misbehaviour{"failure_silent", FailureKind::protocol, "without a cause"}),
    [](const auto& info) { return std::string(info.param.how); });

TEST_F(GpuChildTest, one_that_never_opens_the_gpu_can_be_cancelled) {
    const std::vector<std::string> command = child("start_hang");
    GpuRecorder recorder(command);
    GpuRunOptions options;
    options.cancelled = [&] { return std::filesystem::exists(command.back()); };  // it has begun
    const auto result = recorder.run(launch(), {}, options);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::cancelled);
    EXPECT_TRUE(recorder.run(launch(), {}, {}).has_value());
}

TEST_F(GpuChildTest, one_that_hands_no_buffers_over_is_caught) {
    GpuRecorder recorder(child("well"));
    GpuRunOptions options;
    options.read_buffers = true;
    const auto result = recorder.run(launch(), {}, options);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::protocol);
}

class WireTest : public testing::Test {
  protected:
    void SetUp() override {
        int ends[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        ours = Channel(ends[0], true);
        theirs = Channel(ends[1]);
    }
    static Clock::time_point now() { return Clock::now(); }
    static Clock::time_point soon() { return Clock::now() + std::chrono::seconds(10); }

    Channel ours, theirs;
};

TEST_F(WireTest, a_message_that_comes_in_pieces_is_whole_in_the_end) {
    const Json sent = {{"tell", "done"}, {"numbers", {1, 2, 3}}};
    const std::vector<std::uint8_t> body = to_cbor(sent);
    std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(body.size()), 0, 0, 0};
    bytes.insert(bytes.end(), body.begin(), body.end());
    Json heard;
    for (const std::uint8_t byte : bytes) {
        EXPECT_EQ(ours.receive(heard, now()), Receipt::timed_out);
        ASSERT_EQ(write(theirs.socket(), &byte, 1), 1);
    }
    ASSERT_EQ(ours.receive(heard, soon()), Receipt::message);
    EXPECT_EQ(heard, sent);
}

TEST_F(WireTest, memory_travels_with_a_message_and_is_shared) {
    auto region = SharedRegion::create(100);
    ASSERT_TRUE(region.has_value()) << region.error().message;
    region->bytes()[99] = std::byte{42};
    ASSERT_TRUE(theirs.send({{"ask", "region"}}, soon(), region->descriptor()));
    Json heard;
    ASSERT_EQ(ours.receive(heard, soon()), Receipt::message);
    const int descriptor = ours.take_descriptor();
    EXPECT_NE(ftruncate(descriptor, 1), 0) << "its size is sealed";
    auto adopted = SharedRegion::adopt(descriptor);
    ASSERT_TRUE(adopted.has_value()) << adopted.error().message;
    EXPECT_EQ(adopted->bytes().size(), region->bytes().size());
    EXPECT_EQ(adopted->bytes()[99], std::byte{42});
    adopted->bytes()[98] = std::byte{41};
    EXPECT_EQ(region->bytes()[98], std::byte{41});
    EXPECT_EQ(ours.take_descriptor(), -1);
    EXPECT_FALSE(SharedRegion::adopt(-1).has_value());
}

TEST_F(WireTest, descriptors_that_nobody_wants_are_not_kept) {
    ASSERT_TRUE(ours.send({{"tell", "done"}}, soon(), STDIN_FILENO));
    Json heard;
    ASSERT_EQ(theirs.receive(heard, soon()), Receipt::message);
    EXPECT_EQ(theirs.take_descriptor(), -1);
}

TEST_F(WireTest, a_message_too_long_is_not_sent_and_a_reader_that_sleeps_is_not_waited_for) {
    EXPECT_FALSE(ours.send({{"text", std::string(max_message_bytes, 'x')}}, soon()));
    const Json long_one = {{"text", std::string(max_message_bytes / 2, 'x')}};
    bool sent = true;
    for (int i = 0; i < 10 && sent; ++i) sent = ours.send(long_one, now());
    EXPECT_FALSE(sent);
}

TEST_F(WireTest, an_end_that_closed_is_noticed) {
    theirs.close();
    Json heard;
    EXPECT_EQ(ours.receive(heard, soon()), Receipt::closed);
    EXPECT_FALSE(ours.send({{"tell", "done"}}, soon()));
}

TEST_F(WireTest, what_is_no_object_is_nonsense) {
    const std::vector<std::vector<std::uint8_t>> bodies{{0x01}, {0x80},       {0xff},
                                                        {},     {0xa1, 0x01}, {0xa0, 0xa0}};
    for (const std::vector<std::uint8_t>& body : bodies) {
        SetUp();
        const std::uint8_t length[4] = {static_cast<std::uint8_t>(body.size())};
        ASSERT_EQ(write(theirs.socket(), length, 4), 4);
        ASSERT_EQ(write(theirs.socket(), body.data(), body.size()), static_cast<ssize_t>(body.size()));
        Json heard;
        EXPECT_EQ(ours.receive(heard, soon()), Receipt::nonsense);
    }
}

}  // namespace

}  // namespace warplens::instrumentation
