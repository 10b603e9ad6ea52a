#include "app/pipeline/source_texts.h"

#include <filesystem>
#include <system_error>

#include "core/read_file.h"

namespace warplens::app {

namespace fs = std::filesystem;

void read_texts_beside(const std::string& path, Program& program) {
    constexpr std::uintmax_t most_bytes = 16u << 20;
    for (SourceFile& source : program.sources) {
        if (!source.text.empty()) continue;
        const fs::path said(source.name), beside = fs::path(path).parent_path() / said.filename();
        for (const fs::path& at : {said, beside}) {
            std::error_code error;
            if (at.extension() != ".cu" || !fs::is_regular_file(at, error) ||
                fs::file_size(at, error) > most_bytes)
                continue;
            source.text = read_file(at, most_bytes).value_or(std::string());
            break;
        }
    }
}

}  // namespace warplens::app
