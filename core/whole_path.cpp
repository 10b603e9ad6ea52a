#include "core/whole_path.h"

#include <filesystem>

namespace warplens {

std::string whole_path(const std::string& path) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    if (error) return path;
    const auto whole = std::filesystem::weakly_canonical(absolute, error);
    return error ? absolute.lexically_normal().string() : whole.string();
}

}  // namespace warplens
