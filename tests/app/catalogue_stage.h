// What tests of views on kernels of the catalogue share: a kernel's scene with its times, the words that a
// view draws, and that they can be read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "app/command_line/target.h"
#include "app/scene/index_scene.h"
#include "app/scene/time_scene.h"
#include "tests/app/view_stage.h"

namespace warplens::app {

/// As a run of the window leaves it, with its times. Throws if the kernel does not run.
inline std::shared_ptr<const Scene> timed_kernel(const std::string& name,
                                                 const std::map<std::string, std::string>& knobs = {}) {
    static const auto pipeline = make_pipeline();
    static const auto all = catalogue();
    for (const auto& kernel : *all) {
        if (kernel.name != name) continue;
        auto scene = pipeline->run_scene(
            {std::make_shared<instrumentation::KernelFile>(kernel), knobs, "", 0, Engine::simt}, {});
        if (!scene) throw std::runtime_error(scene.error().message);
        index_scene(*scene);
        scene->timing = time_scene(*scene, {}, [] { return false; });
        return std::make_shared<const Scene>(std::move(*scene));
    }
    throw std::runtime_error(name + " is not in the catalogue");
}

/// All that the view draws, one text per line.
inline std::string drawn_words(ViewStage& stage) {
    stage.headless.frame(2);
    std::string all;
    for (const std::string& one : stage.headless.words()) all += one + "\n";
    return all;
}

/// No text of the last frame covers another or leaves the picture.
inline void expect_legible(ViewStage& stage, ImVec2 size) {
    const auto& texts = stage.headless.texts();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const DrawnText& one = texts[i];
        if (one.words.empty()) continue;
        EXPECT_GE(one.min.x, -0.5f) << one.words;
        EXPECT_LE(one.max.x, size.x + 0.5f) << one.words;
        EXPECT_LE(one.max.y, size.y + 0.5f) << one.words;
        for (std::size_t k = i + 1; k < texts.size(); ++k) {
            const DrawnText& other = texts[k];
            const float wide = std::min(one.max.x, other.max.x) - std::max(one.min.x, other.min.x);
            const float high = std::min(one.max.y, other.max.y) - std::max(one.min.y, other.min.y);
            EXPECT_FALSE(wide > 1.5f && high > 3) << "'" << one.words << "' and '" << other.words << "'";
        }
    }
}

}  // namespace warplens::app
