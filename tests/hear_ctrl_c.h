#pragma once
#include <csignal>

namespace warplens {

/// Before watch_signals() in a child: a shell that starts the tests in the background lets them ignore
/// SIGINT, and watch_signals() leaves a signal that is ignored as it is.
inline void hear_ctrl_c() { ::signal(SIGINT, SIG_DFL); }

}  // namespace warplens
