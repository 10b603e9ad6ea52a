// The options of a command line as plain data. command_line.cpp fills them in; one file per command uses
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::instrumentation {
struct KernelFile;
}

namespace warplens::app {

/// What every command that launches a kernel understands.
struct LaunchFlags {
    std::string target;            // a kernel's name, or a .cu, .ptx, .cubin or .wltrace file
    std::vector<std::string> set;  // NAME=VALUE
    std::string entry;             // --kernel
    std::string grid, block;       // X,Y,Z
    std::string cluster;           // X,Y,Z: blocks of a cluster
    bool cooperative = false;      // all blocks run at the same time
    std::optional<std::uint32_t> dynamic_shared_bytes;
    std::vector<std::string> arguments;  // --arg SPEC, in order
    /// Run the file's host code up to this launch of the kernel, from 1; 0: it is read and not run.
    std::uint32_t program_launch = 0;
    std::string engine;                  // simt, cuda or recorded; empty: the command's own choice
    std::optional<double> time_limit_s;  // of a kernel on a GPU
    std::string gpu;
    std::string level;   // ptx, machine; empty: counts of the PTX, times of the machine code if possible
    std::string blocks;  // "0-7,64"
    std::string sms;     // "0-3", of a GPU
    std::string seed;    // an integer that is not negative; empty: the kernel's own
    std::optional<std::uint64_t> max_steps;    // of a warp
    std::optional<std::uint32_t> stack_bytes;  // a thread's, where calls recurse
    std::optional<std::uint64_t> heap_bytes;   // of malloc in device code
    std::vector<std::string> include_paths;
    std::vector<std::string> defines;  // NAME or NAME=VALUE
    /// Of a .cubin that is compared: the kernel whose launch it gets, where no flag describes one.
    std::shared_ptr<const instrumentation::KernelFile> launched_as;
};

struct ReportOptions {
    LaunchFlags launch;
    std::string format = "text";
    std::string check_races = "auto";  // on, off
    std::vector<std::string> versus;   // what to compare with: app/command_line/versus.h
    bool advice = true;                // of a text: changes are tried
    double advice_seconds = 0;         // 0: as long as a reader waits
};

struct ProgramOptions {
    LaunchFlags launch;             // file, include paths, macros and the time limit
    std::string format;             // empty: by the output's ending, else text
    std::string output;             // empty: standard output
    std::string size = "1280x800";  // of a picture
    std::string theme = "light";
};

struct DiffOptions {
    LaunchFlags launch;              // the first build
    std::vector<std::string> other;  // the second: app/command_line/versus.h, or a .cubin
    std::string format = "text";
};

struct CheckOptions {
    LaunchFlags launch;
    std::vector<std::string> max, min;  // METRIC=VALUE
    std::vector<std::uint32_t> lines;   // only these lines of the kernel's file
    std::string limits_file;
    std::string versus;                  // what the metrics are compared with: app/command_line/versus.h
    std::vector<std::string> max_worse;  // PERCENT or METRIC=PERCENT; none: 0 %
    bool allow_problems = false;
    std::string check_races;         // auto, on, off; empty: as in the file of limits, else auto
    bool fix = false;                // look for a better layout of a shared array instead
    std::string array;               // of --fix; empty: the one that wastes most
    std::uint32_t row_elements = 0;  // of --fix; 0: as declared
    std::string format = "text";
};

struct SweepWords {
    LaunchFlags launch;
    std::vector<std::string> over;     // NAME=A..B[:STEP]
    std::vector<std::string> metrics;  // names
    std::string check_races;           // auto, on, off; empty: auto where `problems` is a metric, else off
    std::string format;                // empty: by the output's ending, else text
    std::string output;                // empty: standard output
    std::string size = "1280x800";     // of a picture
    std::string theme = "light";
};

struct RecordOptions {
    LaunchFlags launch;
    std::string output;
    std::string mode = "full";
    std::string caches;       // "warm" or "cold", of a launch on a GPU; empty: warm
    bool every_pass = false;  // on a GPU: a clock for every pass of a loop
};

struct AgreeOptions {
    LaunchFlags launch;
    std::string other;  // a second .wltrace
};

struct RecordingsOptions {
    std::string output;
    std::vector<std::string> kernels;  // empty: all
    std::string settings;              // folder of settings.json; empty: assets/recordings
    double time_limit_s = 2;
    std::string caches;  // "warm" or "cold"; empty: warm
};

struct ShotOptions {
    LaunchFlags launch;
    std::string view;
    std::string output;
    std::string format;  // png, svg; empty: by the output's ending, png for standard output
    std::string size = "1600x1000";
    float scale = 1;  // of type and strokes
    std::string theme = "light";
    std::vector<std::string> versus;    // what to compare with: app/command_line/versus.h
    std::string select;                 // "line=54,warp=3"; empty: the default selection
    std::string code;                   // of the source view: "cuda,machine"; empty: cuda,ptx
    bool fix = false;                   // the banks view tries other layouts of its array
    std::string map;                    // "array=in,color=warp", of the map; empty: as it chooses
    std::string cells;                  // "color=cycles,fold=worst", of the grid; empty: steps, mean, warps
    std::string cycles;                 // of the timeline: "1000..2500"; empty: all
    std::vector<std::string> annotate;  // "lane:3=the conflict begins here", numbered in this order
    std::string level;  // of modelled times: "ptx", "machine"; empty: machine where there is one
    std::string times;  // of both: "measured", "modelled", "both"; empty: measured where there are any
};

struct ValuesOptions {
    LaunchFlags launch;
    std::string select;  // "block=0,warp=1,step=14,lane=3", or a line or site instead of a step
    std::optional<std::uint64_t> word;  // byte offset in shared memory whose writes are listed
    std::string format = "text";        // or json
};

struct ExportOptions {
    LaunchFlags launch;
    std::string output;
    std::string cycles;    // "1000..2500"; empty: all
    bool streams = false;  // the measured streams instead
};

struct WindowFlags {
    LaunchFlags launch;
    int exit_after_frames = 0;          // 0: until closed
    std::string picture;                // written when the window closes
    bool edit = false;                  // begin with the editor in the source's pane
    std::optional<std::string> lesson;  // a lesson's name or file; empty: the list of lessons
    std::size_t lesson_step = 0;        // from 1; 0: where the reader left off
    bool present = false;
};

}  // namespace warplens::app
