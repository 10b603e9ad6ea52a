// StoredRequest: an access of a Trace with its addresses expanded, as the functions that count one request
// need it. It owns the addresses; access() points into it.
#pragma once

#include "trace/query.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct StoredRequest {
    StoredRequest(const trace::Trace& trace, std::uint64_t index)
        : record(trace.accesses[index]),
          addresses(trace::addresses_of(trace, record)),
          operation(trace::operation_of(trace, record)),
          bytes_per_lane(trace.program.sites[record.site].bytes_per_lane) {}

    trace::Access access() const {
        return {record.site, record.mask, record.space, operation, bytes_per_lane, &addresses};
    }

    trace::AccessRecord record;
    trace::Addresses addresses;
    Operation operation;
    std::uint32_t bytes_per_lane;
};

}  // namespace warplens::analysis
