// What a recorder sends for a launch: checks it, hashes what is large, and keeps where that lies.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "instrumentation/device/assembled_modules.h"
#include "instrumentation/device/protocol.h"

namespace warplens::instrumentation {

struct PreparedRequest {
    RunRequest request;
    /// The bytes of each of RunRequest::blobs; they belong to the launch, the variants, `code` or
    /// `sets`.
    std::vector<std::span<const std::byte>> blobs;
    std::vector<std::vector<std::byte>> sets;
    std::shared_ptr<const AssembledModules> code;
};

/// Fails (launch_refused) with what is wrong about the launch or a variant. Without `code` the driver gets
/// the PTX.
GpuResult<PreparedRequest> prepare_request(const GpuLaunch& launch, const std::vector<GpuVariant>& variants,
                                           const GpuRunOptions& options,
                                           std::shared_ptr<const AssembledModules> code = {});

/// Why this cannot be the answer to the request; empty when it can.
std::string check_answer(const RunRequest& request, const RunAnswer& answer);

}  // namespace warplens::instrumentation
