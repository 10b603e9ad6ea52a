// The launches of a program before the one that is shown, as far as that one reads what they have written.
// Internal to host_launch.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/earlier_launch.h"
#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {

class EarlierLaunches {
  public:
    /// A launch of the kernel as a draft, from host code alone.
    using Follow = std::function<LaunchDraft(const EntryFacts& entry, const host_code::HostLaunch& launch)>;

    EarlierLaunches(const KernelFile& kernel, const host_code::HostCode& code,
                    const std::vector<EntryFacts>& entries, Follow follow);

    /// Says of each buffer that an earlier launch may have written which one that is, or why it is not run.
    void put_into(LaunchDraft& draft, const host_code::HostLaunch& launch);

  private:
    using Made = Result<std::shared_ptr<const EarlierLaunch>>;

    void make_all(const host_code::HostLaunch& shown);
    Made make(const host_code::HostLaunch& launch);
    void attach(LaunchDraft& draft, const host_code::HostLaunch& launch) const;
    void attach_row(DraftArgument& row, const host_code::HostArgument& given, const LaunchDraft& draft,
                    const host_code::HostLaunch& launch) const;

    const KernelFile& kernel_;
    const host_code::HostCode& code_;
    const std::vector<EntryFacts>& entries_;
    Follow follow_;
    std::string source_key_;
    std::map<std::size_t, Made> made_;           // by their numbers
    std::map<std::string, std::string> wrong_;   // with a launch, by its text
    std::map<std::size_t, LaunchDraft> drafts_;  // of those that could be made
};

}  // namespace warplens::instrumentation
