// What views say about a Schedule: which SM and blocks it is of, and why there is none.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "trace/schedule.h"

namespace warplens::app {

/// "modelled · one SM of 132, all 8 of its blocks · H200 · PTX level".
std::string schedule_provenance(const trace::Schedule& schedule, const Scene& scene);

/// The model's reason for the missing schedule, as a sentence.
std::string absent_sentence(const std::string& absent);
/// The same as the end of a sentence: ": the kernel reads textures."; without a reason ".".
std::string reason_words(const std::string& absent);

}  // namespace warplens::app
