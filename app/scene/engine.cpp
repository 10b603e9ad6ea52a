#include "app/scene/engine.h"

namespace warplens::app {
namespace {

struct Words {
    std::string_view word, title, help;
};

const Words& words_of(Engine engine) {
    static constexpr Words all[] = {
        {"simt", "CPU engine", "executes the PTX warp by warp; needs no GPU"},
        {"cuda", "GPU", "records the kernel on this machine's GPU: measured"},
        {"recorded", "recording", "measured earlier on an H200; needs no GPU"},
    };
    return all[static_cast<std::size_t>(engine)];
}

}  // namespace

std::string_view word_of(Engine engine) { return words_of(engine).word; }
std::string_view title_of(Engine engine) { return words_of(engine).title; }
std::string_view help_of(Engine engine) { return words_of(engine).help; }

Result<Engine> parse_engine(std::string_view word) {
    for (const Engine engine : engines)
        if (word_of(engine) == word) return engine;
    return fail(
        "--engine {} is not known; it is simt (the CPU engine), cuda (this machine's GPU) or recorded (a "
        "recording that comes with the program)",
        word);
}

}  // namespace warplens::app
