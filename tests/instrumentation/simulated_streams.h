// A driver with simulated streams: one copy engine per direction, one kernel at a time, a host that takes a
// microsecond per call. It really copies and computes, in the order of the calls, and counts the handles that
// it gives out.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "instrumentation/device/run_stream_plan.h"

namespace warplens::instrumentation {

struct SimulatedStreams {
    struct Stream {
        double free_us = 0;
    };
    struct Event {
        double us = 0;
    };
    using Graph = std::vector<std::function<void()>>;

    double host_us = 0;
    double in_free_us = 0, out_free_us = 0, kernel_free_us = 0;
    double copy_us = 20, kernel_us = 30;  // each
    int calls = 0, fail_at = -1;          // the call with this number fails
    bool forgets_kernels = false;         // launches do nothing
    bool sloppy_graphs = false;           // nor do those inside graphs
    std::size_t external_records = 0, graph_launches = 0, kernels = 0;
    Graph* capturing = nullptr;
    bool replaying = false;
    std::set<void*> streams, events, graphs, execs, host_memory;

    static SimulatedStreams& get() {
        static std::unique_ptr<SimulatedStreams> one;
        if (!one) one = std::make_unique<SimulatedStreams>();
        return *one;
    }
    static void reset() { get() = SimulatedStreams(); }
    std::size_t held() const {
        return streams.size() + events.size() + graphs.size() + execs.size() + host_memory.size();
    }

    cuda::Code call() {
        if (!replaying) host_us += 1;
        return calls++ == fail_at ? cuda::invalid_value : cuda::success;
    }
    cuda::Code work(std::function<void()> what) {
        const cuda::Code code = call();
        if (code != cuda::success) return code;
        if (capturing) capturing->push_back(std::move(what));
        else what();
        return code;
    }
    void run(cuda::Stream in, double& engine_free, double us) {
        double& free = static_cast<Stream*>(in)->free_us;
        free = engine_free = std::max({free, engine_free, host_us}) + us;
    }
};

inline const cuda::CudaDriver& simulated_driver() {
    using namespace cuda;
    using Sim = SimulatedStreams;
    static const CudaDriver driver = [] {
        CudaDriver d;
        d.create_stream = [](cuda::Stream* stream, unsigned flags) -> Code {
            if (flags != stream_non_blocking) return invalid_value;
            if (const Code code = Sim::get().call()) return code;
            *stream = new Sim::Stream;
            Sim::get().streams.insert(*stream);
            return success;
        };
        d.wait_for_stream = [](cuda::Stream stream) -> Code {
            Sim& sim = Sim::get();
            sim.host_us = std::max(sim.host_us, static_cast<Sim::Stream*>(stream)->free_us);
            return sim.capturing ? invalid_value : sim.call();
        };
        d.create_event = [](cuda::Event* event, unsigned flags) -> Code {
            if (flags != 0) return invalid_value;
            if (const Code code = Sim::get().call()) return code;
            *event = new Sim::Event;
            Sim::get().events.insert(*event);
            return success;
        };
        d.record_event = [](cuda::Event event, cuda::Stream stream) -> Code {
            return Sim::get().work([=] {
                double& free = static_cast<Sim::Stream*>(stream)->free_us;
                free = std::max(free, Sim::get().host_us);
                static_cast<Sim::Event*>(event)->us = free;
            });
        };
        d.elapsed = [](float* ms, cuda::Event from, cuda::Event to) -> Code {
            *ms = static_cast<float>((static_cast<Sim::Event*>(to)->us - static_cast<Sim::Event*>(from)->us) /
                                     1000);
            return Sim::get().call();
        };
        d.copy_to_device = [](DeviceAddress to, const void* from, std::size_t bytes,
                              cuda::Stream stream) -> Code {
            return Sim::get().work([=] {
                std::memcpy(reinterpret_cast<void*>(to), from, bytes);
                Sim::get().run(stream, Sim::get().in_free_us, Sim::get().copy_us);
            });
        };
        d.copy_to_host = [](void* to, DeviceAddress from, std::size_t bytes, cuda::Stream stream) -> Code {
            return Sim::get().work([=] {
                std::memcpy(to, reinterpret_cast<void*>(from), bytes);
                Sim::get().run(stream, Sim::get().out_free_us, Sim::get().copy_us);
            });
        };
        d.set_bytes = [](DeviceAddress to, unsigned char value, std::size_t bytes, cuda::Stream) -> Code {
            return Sim::get().work([=] { std::memset(reinterpret_cast<void*>(to), value, bytes); });
        };
        // y[i] = x[i] + 1 for i in first … end: arguments are the addresses of y and x, then two 32-bit
        // numbers.
        d.launch = [](Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      cuda::Stream stream, void**, void** extra) -> Code {
            struct Arguments {
                int *y, *x;
                int first, end;
            } arguments{};
            if (*static_cast<std::size_t*>(extra[3]) != sizeof(arguments)) return invalid_value;
            std::memcpy(&arguments, extra[1], sizeof(arguments));
            return Sim::get().work([=] {
                Sim& sim = Sim::get();
                ++sim.kernels;
                const bool forgets = sim.forgets_kernels || (sim.sloppy_graphs && sim.replaying);
                for (int i = arguments.first; i < arguments.end && !forgets; ++i)
                    arguments.y[i] = arguments.x[i] + 1;
                sim.run(stream, sim.kernel_free_us, sim.kernel_us);
            });
        };
        return d;
    }();
    return driver;
}

inline const cuda::StreamDriver& simulated_stream_driver() {
    using namespace cuda;
    using Sim = SimulatedStreams;
    static const StreamDriver driver = [] {
        StreamDriver d;
        d.allocate_host = [](void** memory, std::size_t bytes) -> Code {
            if (const Code code = Sim::get().call()) return code;
            *memory = ::operator new(bytes);
            Sim::get().host_memory.insert(*memory);
            return success;
        };
        d.free_host = [](void* memory) -> Code {
            Sim::get().host_memory.erase(memory);
            return ::operator delete(memory), success;
        };
        d.destroy_stream = [](cuda::Stream stream) -> Code {
            Sim::get().streams.erase(stream);
            return delete static_cast<Sim::Stream*>(stream), success;
        };
        d.wait_for_event = [](cuda::Stream stream, cuda::Event event, unsigned) -> Code {
            return Sim::get().work([=] {
                double& free = static_cast<Sim::Stream*>(stream)->free_us;
                free = std::max(free, static_cast<Sim::Event*>(event)->us);
            });
        };
        d.destroy_event = [](cuda::Event event) -> Code {
            Sim::get().events.erase(event);
            return delete static_cast<Sim::Event*>(event), success;
        };
        d.record_event_node = [](cuda::Event event, cuda::Stream stream, unsigned flags) -> Code {
            if (flags != event_record_external || !Sim::get().capturing) return invalid_value;
            ++Sim::get().external_records;
            return simulated_driver().record_event(event, stream);
        };
        d.begin_capture = [](cuda::Stream, int) -> Code {
            if (Sim::get().capturing) return invalid_value;
            if (const Code code = Sim::get().call()) return code;
            Sim::get().capturing = new Sim::Graph;
            Sim::get().graphs.insert(Sim::get().capturing);
            return success;
        };
        d.end_capture = [](cuda::Stream, cuda::Graph* graph) -> Code {
            if (!Sim::get().capturing) return invalid_value;
            *graph = std::exchange(Sim::get().capturing, nullptr);
            return Sim::get().call();
        };
        d.instantiate = [](GraphExec* exec, cuda::Graph graph, unsigned long long) -> Code {
            if (const Code code = Sim::get().call()) return code;
            *exec = new Sim::Graph(*static_cast<Sim::Graph*>(graph));
            Sim::get().execs.insert(*exec);
            return success;
        };
        d.launch_graph = [](GraphExec exec, cuda::Stream) -> Code {
            Sim& sim = Sim::get();
            ++sim.graph_launches;
            if (const Code code = sim.call()) return code;
            sim.replaying = true;
            const int fail_at = std::exchange(sim.fail_at, -1);
            for (const auto& node : *static_cast<Sim::Graph*>(exec)) node();
            sim.fail_at = fail_at;
            sim.replaying = false;
            return success;
        };
        d.destroy_graph = [](cuda::Graph graph) -> Code {
            Sim::get().graphs.erase(graph);
            return delete static_cast<Sim::Graph*>(graph), success;
        };
        d.destroy_exec = [](GraphExec exec) -> Code {
            Sim::get().execs.erase(exec);
            return delete static_cast<Sim::Graph*>(exec), success;
        };
        return d;
    }();
    return driver;
}

}  // namespace warplens::instrumentation
