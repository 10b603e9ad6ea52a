#include "app/capture/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>
#include <imgui_impl_opengl3.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>

namespace warplens::app {
namespace {

/// Drivers do not check whether they got memory. Where a limit is set, so much must be free: Mesa's library,
/// the code that it generates, and the stacks and heaps of its threads.
Status check_address_space() {
    constexpr std::size_t needed = std::size_t{512} << 20;
    struct ::rlimit limit {};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
    void* const probe =
        ::mmap(nullptr, needed, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED)
        return fail(
            "a PNG is drawn by the OpenGL driver, which needs {} MiB of memory, and the limit of {} MiB "
            "leaves less (ulimit -v); raise it, or take -o FILE.svg, which needs no driver",
            needed >> 20, limit.rlim_cur >> 20);
    ::munmap(probe, needed);
    return {};
}

}  // namespace

/// An OpenGL 3.3 core context with no surface.
struct Offscreen::Display {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;

    Display() = default;
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    ~Display() {
        if (display == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
        // The display itself is shared by the process; terminating it would destroy the contexts of other
        // images.
    }

    Status open() {
        WARPLENS_TRY(check_address_space());
        const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
        const auto get_display =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        if (extensions && get_display && std::strstr(extensions, "EGL_MESA_platform_surfaceless"))
            display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (display == EGL_NO_DISPLAY) display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
        if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
            display = EGL_NO_DISPLAY;
            return fail(
                "Images require EGL and an OpenGL driver, and none was found. Install the "
                "Debian packages libegl1 and libgl1-mesa-dri.");
        }
        eglBindAPI(EGL_OPENGL_API);
        constexpr EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) config = nullptr;
        constexpr EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                         3,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         3,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_NONE};
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
        if (context == EGL_NO_CONTEXT || !make_current())
            return fail("Images require OpenGL 3.3, which this machine's driver does not support.");
        if (!gladLoadGL(eglGetProcAddress))
            return fail("The OpenGL driver lacks functions of OpenGL 3.3, so images cannot be drawn.");
        return {};
    }

    bool make_current() const { return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context); }
};

/// A framebuffer object with one colour texture.
struct Offscreen::Target {
    GLuint texture = 0, framebuffer = 0;
    int width = 0, height = 0;

    Target() = default;
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    ~Target() {
        if (framebuffer) glDeleteFramebuffers(1, &framebuffer);
        if (texture) glDeleteTextures(1, &texture);
    }

    Status open(int wanted_width, int wanted_height) {
        GLint most = 0;
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
        if (wanted_width < 1 || wanted_height < 1 || wanted_width > most || wanted_height > most)
            return fail("An image of {} by {} pixels cannot be drawn: each side must be from 1 to {} pixels.",
                        wanted_width, wanted_height, most);
        width = wanted_width;
        height = wanted_height;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            return fail("The OpenGL driver could not create a drawing surface of {} by {} pixels.", width,
                        height);
        return {};
    }
};

Offscreen::Offscreen(const OffscreenOptions& options) : options_(options) {}

Offscreen::~Offscreen() {
    if (!interface_) return;
    display_->make_current();
    interface_->make_current();
    ImGui_ImplOpenGL3_Shutdown();
}

Result<std::unique_ptr<Offscreen>> Offscreen::open(const OffscreenOptions& options) {
    std::unique_ptr<Offscreen> offscreen(new Offscreen(options));
    offscreen->display_ = std::make_unique<Display>();
    WARPLENS_TRY(offscreen->display_->open());
    const int times = options.smooth ? 2 : 1;
    offscreen->target_ = std::make_unique<Target>();
    WARPLENS_TRY(offscreen->target_->open(options.width * times, options.height * times));
    auto interface = std::make_unique<InterfaceContext>(
        options.theme,
        ImVec2(static_cast<float>(options.width * times), static_cast<float>(options.height * times)),
        std::make_shared<FontAtlas>(options.scale * static_cast<float>(times)));
    if (!ImGui_ImplOpenGL3_Init("#version 330 core"))
        return fail("The interface could not start on this machine's OpenGL driver.");
    ImGui::GetIO().MousePos = {-1e30f, -1e30f};
    offscreen->interface_ = std::move(interface);
    return offscreen;
}

Picture Offscreen::render(const std::function<void(const Theme&)>& draw, int frames) {
    display_->make_current();
    interface_->make_current();
    ImGui_ImplOpenGL3_NewFrame();
    for (int i = 0; i < std::max(1, frames); ++i) interface_->frame(draw);

    const int width = target_->width, height = target_->height;
    const ImVec4 background = ImGui::ColorConvertU32ToFloat4(theme().background);
    glBindFramebuffer(GL_FRAMEBUFFER, target_->framebuffer);
    glViewport(0, 0, width, height);
    glClearColor(background.x, background.y, background.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

    const auto row = static_cast<std::size_t>(width) * 4;
    Picture picture{width, height, std::vector<std::uint8_t>(row * static_cast<std::size_t>(height))};
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
    // OpenGL's rows begin at the bottom.
    for (int y = 0; y < height / 2; ++y) {
        std::uint8_t* const upper = picture.rgba.data() + static_cast<std::size_t>(y) * row;
        std::uint8_t* const lower = picture.rgba.data() + static_cast<std::size_t>(height - 1 - y) * row;
        std::swap_ranges(upper, upper + row, lower);
    }
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
    return options_.smooth ? halved(picture) : picture;
}

}  // namespace warplens::app
