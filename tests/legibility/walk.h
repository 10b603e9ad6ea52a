// What the walks over kernels, views and sizes share: the kernels, a kernel's scene, and the faults found.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <memory>
#include <string>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/index_scene.h"
#include "app/scene/time_scene.h"
#include "app/session/session.h"
#include "tests/legibility/text_boxes.h"
#include "tests/support/headless.h"

namespace warplens::app {

inline const Catalogue& all_kernels() {
    static const Catalogue all = [] {
        Catalogue shared;
        auto kernels = catalogue().value();
        for (auto& kernel : kernels)
            shared.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
        return shared;
    }();
    return all;
}

/// Null if it does not run; else as a run of the window leaves it, with its times.
inline std::shared_ptr<Scene> scene_of(const std::string& name,
                                       const std::map<std::string, std::string>& knobs = {}) {
    static const auto pipeline = make_pipeline();
    for (const auto& kernel : all_kernels()) {
        if (kernel->name != name) continue;
        auto scene = pipeline->run_scene({kernel, knobs, "", 0, Engine::simt}, {});
        if (!scene) return nullptr;
        scene->timing = time_scene(*scene, {}, [] { return false; });
        index_scene(*scene);
        return std::make_shared<Scene>(std::move(*scene));
    }
    return nullptr;
}

/// Each kind of fault once: numbers differ from row to row.
class Faults {
  public:
    void add(const std::string& where, const Headless& ui, ImVec2 size, bool is_picture = false) {
        for (const std::string& fault : text_faults(ui.texts(), size, is_picture)) {
            std::string kind = where;
            for (const char c : fault.substr(0, fault.find(": ")))
                if (!std::isdigit(static_cast<unsigned char>(c))) kind += c;
            found_.emplace(kind, where + ": " + fault);
        }
    }
    std::string all() const {
        std::string each;
        for (const auto& [kind, fault] : found_) each += fault + "\n";
        return each;
    }

  private:
    std::map<std::string, std::string> found_;
};

}  // namespace warplens::app
