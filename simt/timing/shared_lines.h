// SharedLines: of a buffer that the SMs read in orders of their own, how likely another SM has read a line
// already. Each has read as many as the modelled one. Source: share_probes.cu, h200_shared_lines.csv: of 4096
// lines at random, the first 32 loads of each of 132 SMs wait for DRAM in 61 % of the cases, the next in 23 %
// and 8 %.
#pragma once

#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

namespace warplens::simt {

class SharedLines {
  public:
    /// `others`: SMs beside the modelled one; `latency`: cycles until a line has arrived.
    SharedLines(double others, double latency) : others_(others), latency_(latency) {}

    struct Chance {
        double untouched = 1;   // no SM has asked for it
        double on_its_way = 0;  // one has, and it has not arrived
    };
    /// The modelled SM reads a granule for the first time, of a buffer of so many.
    Chance read(std::size_t buffer, double granules, double at) {
        if (buffer >= buffers_.size()) buffers_.resize(buffer + 1);
        Reads& reads = buffers_[buffer];
        for (; !reads.asked.empty() && reads.asked.front() + latency_ <= at; reads.asked.pop_front())
            ++reads.arrived;
        const double asked = reads.arrived + double(reads.asked.size());
        reads.asked.push_back(at);
        const double untouched = std::exp(-asked * others_ / granules);
        return {untouched, std::exp(-reads.arrived * others_ / granules) - untouched};
    }

  private:
    struct Reads {
        std::deque<double> asked;  // when; of lines that are on their way
        double arrived = 0;
    };
    double others_, latency_;
    std::vector<Reads> buffers_;
};

}  // namespace warplens::simt
