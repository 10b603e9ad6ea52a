// Work that cannot be cancelled does not keep a closed window's process alive.
#include "app/window/end_in_time.h"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

using namespace std::chrono_literals;

TEST(end_in_time, ends_the_process_when_work_goes_on) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EXIT(
        {
            EndInTime end;
            end.start(100ms);
            std::this_thread::sleep_for(30s);
            ::_exit(1);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
}

TEST(end_in_time, waits_for_nothing_when_the_work_has_ended) {
    const auto begin = std::chrono::steady_clock::now();
    {
        EndInTime end;
        end.start(60s);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
    EndInTime never_started;
}

}  // namespace
}  // namespace warplens::app
