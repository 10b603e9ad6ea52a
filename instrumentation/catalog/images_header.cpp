#include "instrumentation/catalog/images_header.h"

#include <algorithm>

#include "core/image_words.h"
#include "instrumentation/catalog/buffer_header.h"
#include "instrumentation/catalog/images.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {

namespace {

Names names_of(const auto& words) { return Names(words.begin(), words.end()); }

class ImageReader {
  public:
    ImageReader(HeaderFields& fields, KernelFile& kernel) : fields_(fields), kernel_(kernel) {}

    Status read(const std::string& name, const HeaderNode& node, bool is_surface) {
        image_ = {};
        image_.name = name;
        image_.is_surface = is_surface;
        kind_ = is_surface ? "surface" : "texture";
        where_ = fmt::format("{} `{}`", kind_, name);
        Status status = fields_.known_keys(node, where_, keys())
                            .and_then([&] { return fields_.check_name(name, node, kind_, kernel_); })
                            .and_then([&] { return read_extents(node); })
                            .and_then([&] { return read_sampling(node); })
                            .and_then([&] { return read_texels(node); });
        if (!status) return status;
        kernel_.images.push_back(std::move(image_));
        return {};
    }

  private:
    Names keys() const {
        Names keys{"buffer", "channels", "width", "height", "depth", "layers"};
        keys.insert(keys.begin() + 1, buffer_keys().begin(), buffer_keys().end());
        if (!image_.is_surface)
            for (const char* key : {"cube", "filter", "address", "normalised", "reads_normalised"})
                keys.emplace_back(key);
        return keys;
    }

    Status read_extents(const HeaderNode& node) {
        image_.channels.push_back('1');
        Status status = fields_.read_expression(node, "channels", image_.channels)
                            .and_then([&] { return fields_.read_expression(node, "width", image_.width); })
                            .and_then([&] { return fields_.read_expression(node, "height", image_.height); })
                            .and_then([&] { return fields_.read_expression(node, "depth", image_.depth); })
                            .and_then([&] { return fields_.read_expression(node, "layers", image_.layers); })
                            .and_then([&] { return fields_.read_flag(node, "cube", image_.cube); });
        if (!status) return status;
        const auto wrong = [&](const char* sentence) {
            return fields_.error_at(node, "{} {}", where_, sentence);
        };
        if (image_.width.empty()) return wrong("lacks its `width`, in texels");
        if (image_.cube && (!image_.height.empty() || !image_.depth.empty()))
            return wrong("is a cube: its faces are as high as wide, so it takes no `height` and no `depth`");
        if (!image_.depth.empty() && image_.height.empty()) return wrong("has a `depth` and no `height`");
        if (!image_.depth.empty() && !image_.layers.empty())
            return wrong("has a `depth` and `layers`; layers are of one or two dimensions");
        return {};
    }

    /// A word of the list, or a parameter whose every value is one.
    Status read_word(const HeaderNode& node, const char* key, const Names& words, std::string& into) {
        WARPLENS_TRY(fields_.read_text(node, key, into));
        if (into.empty()) {
            into = words.front();
            return {};
        }
        if (contains(words, into)) return {};
        const HeaderNode& at = *HeaderFields::member(node, key);
        const auto parameter = std::ranges::find(kernel_.parameters, into, &ParameterDeclaration::name);
        if (parameter == kernel_.parameters.end())
            return fields_.error_at(at,
                                    "`{}` = \"{}\" is unknown{} (known: {}, or a parameter of such words)",
                                    key, into, did_you_mean(into, words), listed(words));
        const auto is_one = [&](const Value& value) {
            const auto* word = std::get_if<std::string>(&value);
            return word && contains(words, *word);
        };
        if (parameter->values.empty() || !std::ranges::all_of(parameter->values, is_one))
            return fields_.error_at(at,
                                    "`{}` follows the parameter `{}`, whose `values` must then be among {}",
                                    key, into, listed(words));
        return {};
    }

    Status read_sampling(const HeaderNode& node) {
        Names modes = names_of(address_mode_names);
        std::ranges::iter_swap(modes.begin(), std::ranges::find(modes, "clamp"));  // the default
        return read_word(node, "filter", names_of(texture_filter_names), image_.filter)
            .and_then([&] { return read_word(node, "address", modes, image_.address); })
            .and_then([&] { return fields_.read_flag(node, "normalised", image_.normalised); })
            .and_then([&] { return fields_.read_flag(node, "reads_normalised", image_.reads_normalised); });
    }

    /// Of a declared buffer, or of one of its own.
    Status read_texels(const HeaderNode& node) {
        BufferDeclaration own;
        Status status = fields_.read_text(node, "buffer", image_.buffer).and_then([&] {
            return read_elements(fields_, node, where_, own);
        });
        if (!status) return status;
        const Names formats = names_of(channel_format_names);
        if (!own.element_type.empty() && !contains(formats, own.element_type))
            return fields_.error_at(node, "{} has `type` \"{}\", which no {} has (known: {})", where_,
                                    own.element_type, kind_, listed(formats));
        image_.format = own.element_type;
        if (image_.buffer.empty()) {
            if (own.element_type.empty())
                return fields_.error_at(node, "{} lacks its `type`, or a `buffer` whose elements it shows",
                                        where_);
            own.name = image_.buffer = image_.name;
            own.length = texel_elements(image_);
            kernel_.buffers.push_back(std::move(own));
            return {};
        }
        for (const std::string& key : buffer_keys())
            if (key != "type" && HeaderFields::member(node, key))
                return fields_.error_at(node, "{} shows a buffer, whose own declaration says its `{}`",
                                        where_, key);
        Names buffers;
        for (const BufferDeclaration& buffer : kernel_.buffers) buffers.push_back(buffer.name);
        if (contains(buffers, image_.buffer)) return {};
        return fields_.error_at(*HeaderFields::member(node, "buffer"),
                                "{} shows the buffer `{}`, which is not declared{} (buffers: {})", where_,
                                image_.buffer, did_you_mean(image_.buffer, buffers), listed(buffers));
    }

    HeaderFields& fields_;
    KernelFile& kernel_;
    ImageDeclaration image_;
    const char* kind_ = "";
    std::string where_;
};

}  // namespace

Status read_images(HeaderFields& fields, const HeaderNode& root, KernelFile& kernel) {
    ImageReader reader(fields, kernel);
    for (const char* key : {"textures", "surfaces"}) {
        const HeaderNode* const node = HeaderFields::member(root, key);
        if (!node) continue;
        if (!node->table()) return fields.error_at(*node, "[{}] must be a table", key);
        for (const auto& [name, value] : *node->table())
            WARPLENS_TRY(reader.read(name, value, key[0] == 's'));
    }
    return {};
}

}  // namespace warplens::instrumentation
