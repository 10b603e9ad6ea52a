// Images: the texture and surface objects of the program, for the line of a launch.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "../runtime/channels.h"
#include "arena.h"

namespace warplens_program {

struct Image {
    bool is_surface = false;
    char* memory = nullptr;
    std::size_t width = 0, height = 0, depth = 0, layers = 0;  // texels; 0: it has no such dimension
    std::size_t pitch = 0;                                     // bytes from one row to the next
    bool cube = false;
    const char* format = "";  // of a channel
    int channels = 0, channel_bytes = 0;
    bool linear = false, normalised = false, reads_normalised = false;
    int address_mode = 1;  // cudaTextureAddressMode

    std::size_t texel_bytes() const { return static_cast<std::size_t>(channels * channel_bytes); }
    /// Without a known format the texels keep no bytes.
    void set_channels(const cudaChannelFormatDesc& of) {
        static constexpr const char* names[3][3] = {
            {"i8", "i16", "i32"}, {"u8", "u16", "u32"}, {"", "f16", "f32"}};
        const int size = of.x == 8 ? 0 : of.x == 16 ? 1 : of.x == 32 ? 2 : -1;
        if (size < 0 || of.f > cudaChannelFormatKindFloat) return;
        format = names[of.f][size];
        channels = 1 + (of.y != 0) + (of.z != 0) + (of.w != 0);
        channel_bytes = *format == '\0' || channels == 3 ? 0 : of.x / 8;
    }
};

class Images {
  public:
    static Images& instance() {
        static Images& images = *new Images;  // stays until the end, for destructors of the program
        return images;
    }

    unsigned long long add(const Image& image) {
        const std::lock_guard<std::mutex> lock(mutex_);
        images_[++last_] = image;
        return last_;
    }
    bool remove(unsigned long long handle) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return images_.erase(handle) != 0;
    }

    void append_to(std::string& line) {
        static constexpr const char* modes[] = {"wrap", "clamp", "mirror", "border"};
        const std::lock_guard<std::mutex> lock(mutex_);
        const char* separator = "";
        line += ",\"images\":[";
        for (const auto& [handle, image] : images_) {
            const auto number = [&](const char* name, std::size_t value) {
                line += std::string(",\"") + name + "\":" + std::to_string(value);
            };
            line += separator;
            line += "{\"handle\":" + std::to_string(handle);
            number("offset", reinterpret_cast<std::uintptr_t>(image.memory) - Arena::instance().base());
            number("width", image.width), number("height", image.height), number("depth", image.depth);
            number("layers", image.layers), number("pitch", image.pitch);
            number("channels", static_cast<std::size_t>(image.channels));
            line += std::string(",\"format\":\"") + image.format + "\",\"address\":\"" +
                    modes[image.address_mode & 3] + "\",\"filter\":\"" + (image.linear ? "linear" : "point") +
                    '"';
            for (const auto& [name, is] :
                 {std::pair{"surface", image.is_surface}, std::pair{"cube", image.cube},
                  std::pair{"normalised", image.normalised},
                  std::pair{"reads_normalised", image.reads_normalised}})
                line += std::string(",\"") + name + "\":" + (is ? "true" : "false");
            line += '}';
            separator = ",";
        }
        line += ']';
    }

  private:
    std::mutex mutex_;
    unsigned long long last_ = 0x7e00000000000000ULL;  // far from addresses and small numbers
    std::map<unsigned long long, Image> images_;
};

}  // namespace warplens_program
