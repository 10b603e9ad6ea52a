// Conversation: the recorder's side of one run, message by message, with the limits of time and size that the
// child is held to. It starts no process and ends none: gpu_recorder.cpp does.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "core/json.h"
#include "instrumentation/device/child_process.h"
#include "instrumentation/device/gpu_request.h"
#include "instrumentation/device/shared_region.h"

namespace warplens::instrumentation {

using Regions = std::map<std::uint32_t, SharedRegion>;

/// What came of it. When `lost`, the child is of no more use and is to be killed.
struct ConversationEnd {
    GpuResult<RunAnswer> answer;
    bool lost = false;
};

class Conversation {
  public:
    Conversation(ChildProcess& child, Regions& regions, const PreparedRequest& prepared,
                 const GpuRunOptions& options);
    ConversationEnd hold();

  private:
    using Failure = std::optional<GpuFailure>;

    Failure hear(const Json& message);
    Failure give_missing(const Json& message);
    Failure give_pieces();
    Failure give_region(const Json& message);
    Failure enter_phase(const Json& message);
    Failure say(const Json& message, int descriptor = -1);
    GpuFailure out_of_time() const;

    ChildProcess& child_;
    Regions& regions_;
    const PreparedRequest& prepared_;
    const GpuRunOptions& options_;
    std::string subject_ = "the kernel";
    Phase phase_ = Phase::load;
    Clock::time_point deadline_;
    std::uint64_t messages_left_;
    std::deque<Piece> pieces_;  // to be given; of each blob what is left
    bool missing_reported_ = false;
    std::optional<RunAnswer> answer_;
    std::optional<GpuFailure> reported_failure_;
};

/// "the recorder's process was killed by signal 9 (SIGKILL) while …"; waits for its end a little.
GpuFailure death_of(ChildProcess& child, const std::string& meanwhile);

}  // namespace warplens::instrumentation
