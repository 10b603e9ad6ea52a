// The stand-in's functions of streams and graphs. Every request is executed at once, so all streams are
// alike. It reports that capturing is not supported, as a driver may;
// tests/instrumentation/simulated_streams.h has graphs.
#include <cstdlib>

#include "instrumentation/device/stream_driver.h"

using namespace warplens::instrumentation::cuda;

namespace {

constexpr Code not_supported = 801;

}  // namespace

extern "C" {

Code cuMemAllocHost_v2(void** memory, std::size_t bytes) {
    return *memory = std::malloc(bytes), *memory ? success : out_of_memory;
}
Code cuMemFreeHost(void* memory) { return std::free(memory), success; }
Code cuStreamDestroy_v2(Stream) { return success; }
Code cuStreamWaitEvent(Stream, Event, unsigned) { return success; }
Code cuEventDestroy_v2(Event) { return success; }
Code cuEventRecordWithFlags(Event, Stream, unsigned) { return not_supported; }
Code cuStreamBeginCapture_v2(Stream, int) { return not_supported; }
Code cuStreamEndCapture(Stream, Graph*) { return not_supported; }
Code cuGraphInstantiateWithFlags(GraphExec*, Graph, unsigned long long) { return not_supported; }
Code cuGraphLaunch(GraphExec, Stream) { return not_supported; }
Code cuGraphDestroy(Graph) { return not_supported; }
Code cuGraphExecDestroy(GraphExec) { return not_supported; }

}  // extern "C"
