// A recorder's child that misbehaves: fake_child WHAT MARKER. The first child creates the file MARKER; a
// child that finds it behaves correctly, so that a test can check that the run after a failure works.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "instrumentation/device/child_process.h"
#include "instrumentation/device/protocol.h"
#include "instrumentation/device/shared_region.h"
#include "instrumentation/device/wire.h"

using namespace warplens::instrumentation;
using warplens::Json;

namespace {

Channel channel;
std::string how;

Clock::time_point soon() { return Clock::now() + std::chrono::seconds(20); }
void send(const Json& message) {
    if (!channel.send(message, soon())) _exit(9);
}
Json hear() {
    Json message;
    if (channel.receive(message, soon()) != Receipt::message) _exit(0);
    return message;
}
void write_raw(const std::vector<unsigned char>& bytes) {
    if (write(child_socket, bytes.data(), bytes.size()) < 0) _exit(9);
}
[[noreturn]] void hang() {
    while (true) pause();
}

/// Ways to misbehave that need no conversation; returns when `how` is none of them.
void misbehave_at_once(const std::string& when) {
    if (how == when + "_crash") std::abort();
    if (how == when + "_exit") _exit(3);
    if (how == when + "_killed") raise(SIGKILL);
    if (how == when + "_hang") hang();
    if (how == when + "_garbage") {
        std::vector<unsigned char> bytes(4096);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37 + 11);
        bytes[1] = bytes[2] = bytes[3] = 0;  // a length that is accepted
        write_raw(bytes);
        hang();
    }
    if (how == when + "_huge_length") {
        write_raw({0xff, 0xff, 0xff, 0xff, 0xa0});
        hang();
    }
    if (how == when + "_half") {
        write_raw({100, 0, 0, 0, 0xa1, 0x64, 't', 'e'});
        _exit(0);
    }
    if (how == when + "_nested") {
        std::vector<unsigned char> bytes(4 + 1000000, 0x81);  // an array in an array in …
        const unsigned length = 1000000;
        for (int i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(length >> (8 * i));
        for (std::size_t sent = 0; sent < bytes.size();) {
            const ssize_t count = write(child_socket, bytes.data() + sent, bytes.size() - sent);
            if (count > 0) sent += static_cast<std::size_t>(count);
        }
        hang();
    }
    if (how == when + "_silly") send({{"tell", 17}});
    if (how == when + "_unknown") send({{"tell", "fortune"}});
}

void run(const Json& asked) {
    send({{"tell", "phase"}, {"phase", 2u}, {"subject", "saxpy"}});
    misbehave_at_once("run");
    if (how == "missing_unknown") send({{"tell", "blobs"}, {"missing", {0, 99999}}});
    if (how == "missing_twice") send({{"tell", "blobs"}, {"missing", {0, 0}}});
    if (how == "missing_negative") send({{"tell", "blobs"}, {"missing", {-1}}});
    if (how == "region_huge") send({{"tell", "region"}, {"id", 2u}, {"bytes", std::uint64_t{1} << 60}});
    if (how == "region_unknown") send({{"tell", "region"}, {"id", 70u}, {"bytes", 16u}});
    if (how == "without_end") {
        while (true) send({{"tell", "phase"}, {"phase", 2u}, {"subject", "saxpy"}});
    }
    RunAnswer answer;
    answer.buffer_addresses.assign(asked["buffers"].size(), 0x1000);
    std::uint32_t id = first_space_region;
    for (const Json& variant : asked["variants"]) {
        VariantAnswer variant_answer;
        variant_answer.parameter.chunk_units =
            static_cast<std::uint32_t>(variant["chunk_units"].as_unsigned());
        variant_answer.parameter.chunks = 2;
        variant_answer.read_bytes = chunk_offset(2, variant_answer.parameter.chunk_units, 0);
        if (how != "no_region") {
            send({{"tell", "region"}, {"id", id++}, {"bytes", variant_answer.read_bytes}});
            hear();
            ::close(channel.take_descriptor());
        }
        if (how == "read_too_much") variant_answer.read_bytes = std::uint64_t{1} << 50;
        if (how == "read_a_part") variant_answer.read_bytes -= 1;
        if (how == "too_many_chunks") variant_answer.parameter.chunks = 0xffffffffu;
        if (how == "too_many_slabs") variant_answer.parameter.slabs = 2;
        answer.variants.push_back(variant_answer);
    }
    if (how == "no_variants") answer.variants.clear();
    if (how == "no_buffers") answer.buffer_addresses.clear();
    Json message = to_message(answer);
    if (how == "no_clean") message["clean"] = nullptr;
    if (how == "time_of_words") message["clean"]["time_us"] = "fast";
    if (how == "endless_time") message["clean"]["time_us"] = std::numeric_limits<double>::infinity();
    if (how == "failure_unknown")
        message = {{"tell", "failure"}, {"kind", 200u}, {"message", "x"}, {"problem", 0u}};
    if (how == "failure_silent")
        message = {{"tell", "failure"}, {"kind", 1u}, {"message", ""}, {"problem", 0u}};
    send(message);
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (argument_count < 3) return 2;
    how = arguments[1];
    if (std::FILE* const marker = std::fopen(arguments[2], "r")) {
        std::fclose(marker);
        how = "well";
    } else if (std::FILE* const made = std::fopen(arguments[2], "w")) {
        std::fclose(made);
    }
    channel = Channel(child_socket, true);
    misbehave_at_once("start");
    while (true) {
        const Json message = hear();
        const std::string ask = message["ask"].as_string();
        if (ask == "hello") {
            misbehave_at_once("hello");
            DeviceFacts facts;
            facts.name = "Fake";
            facts.sm_count = 1;
            send(to_message(facts));
        }
        if (ask == "run") run(message);
        if (ask == "cancel") send(to_message(GpuFailure{GpuFailure::Kind::cancelled, "cancelled"}));
    }
}
