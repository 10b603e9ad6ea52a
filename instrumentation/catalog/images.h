// Textures and surfaces of a launch: what a declaration means with the parameters' values put in, and what it
// may not ask for. A launch's images are made of its buffers; how they are sampled is core/image.h's, and
// docs/textures.md's.
#pragma once

#include <string>
#include <vector>

#include "core/image.h"
#include "core/result.h"
#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// An expression for the elements of all texels: extents, layers, faces and channels multiplied.
std::string texel_elements(const ImageDeclaration& image);

/// The launch's images; its buffers are already made. Errors name the image, and say what would be right:
/// also of what CUDA would refuse or take otherwise than it is written, such as a linear filter over
/// integers.
Result<std::vector<PreparedImage>> prepare_images(const KernelFile& kernel, Expressions& expressions,
                                                  const PreparedLaunch& launch);

/// What one declaration comes to; its format is given. Errors do not name it.
Result<ImageDescription> describe_image(const ImageDeclaration& declared, const Values& parameters,
                                        Expressions& expressions);

}  // namespace warplens::instrumentation
