#include "app/window/x11_picture.h"

#ifdef WARPLENS_X11
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <cstdlib>
#include <string_view>
#include <thread>
#endif

namespace warplens::app {

#ifdef WARPLENS_X11

namespace {

struct Free {
    void operator()(void* reply) const { std::free(reply); }
};
template <class Reply>
using Owned = std::unique_ptr<Reply, Free>;

xcb_atom_t atom_of(xcb_connection_t* connection, std::string_view name) {
    const auto cookie = xcb_intern_atom(connection, 0, static_cast<std::uint16_t>(name.size()), name.data());
    const Owned<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(connection, cookie, nullptr));
    return reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
}

/// A request's own header, and some room.
constexpr std::size_t request_overhead = 256;

}  // namespace

struct X11Picture::Server {
    ~Server() {
        constexpr std::uint64_t one = 1;
        if (stop >= 0 && write(stop, &one, sizeof one) < 0) return;  // the counter is full: it will stop
        if (thread.joinable()) thread.join();
        if (stop >= 0) close(stop);
        if (connection) xcb_disconnect(connection);
    }

    Status begin() {
        int screen_number = 0;
        connection = xcb_connect(nullptr, &screen_number);
        if (xcb_connection_has_error(connection) != 0) return fail("The X server cannot be reached.");
        if (png.size() + request_overhead > std::size_t{4} * xcb_get_maximum_request_length(connection))
            return fail("The picture is too large for the clipboard; save it as a file instead.");
        const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
        window = xcb_generate_id(connection);
        xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 1, 1, 0,
                          XCB_WINDOW_CLASS_INPUT_ONLY, screen->root_visual, 0, nullptr);
        clipboard = atom_of(connection, "CLIPBOARD");
        targets = atom_of(connection, "TARGETS");
        image = atom_of(connection, "image/png");
        xcb_set_selection_owner(connection, window, clipboard, XCB_CURRENT_TIME);
        const auto cookie = xcb_get_selection_owner(connection, clipboard);
        const Owned<xcb_get_selection_owner_reply_t> owner(
            xcb_get_selection_owner_reply(connection, cookie, nullptr));
        if (!owner || owner->owner != window) return fail("The clipboard belongs to another program.");
        stop = eventfd(0, EFD_CLOEXEC);
        if (stop < 0) return fail("There is no memory to copy the picture.");
        thread = std::thread([this] { serve(); });
        return {};
    }

    /// Until another program owns the clipboard, or the picture is not offered any more.
    void serve() {
        for (;;) {
            while (const Owned<xcb_generic_event_t> event{xcb_poll_for_event(connection)}) {
                const int kind = event->response_type & 0x7f;
                if (kind == XCB_SELECTION_CLEAR) return;
                if (kind == XCB_SELECTION_REQUEST)
                    answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event.get()));
            }
            if (xcb_connection_has_error(connection) != 0) return;
            pollfd ends[] = {{xcb_get_file_descriptor(connection), POLLIN, 0}, {stop, POLLIN, 0}};
            poll(ends, 2, -1);
            if (ends[1].revents != 0) return;
        }
    }

    void answer(const xcb_selection_request_event_t& request) const {
        // Old programs name no property; the target's name is one then.
        const xcb_atom_t property = request.property != XCB_ATOM_NONE ? request.property : request.target;
        xcb_selection_notify_event_t notice{};
        notice.response_type = XCB_SELECTION_NOTIFY;
        notice.time = request.time;
        notice.requestor = request.requestor;
        notice.selection = request.selection;
        notice.target = request.target;
        notice.property = property;
        if (request.target == targets) {
            const xcb_atom_t offered[] = {targets, image};
            xcb_change_property(connection, XCB_PROP_MODE_REPLACE, request.requestor, property, XCB_ATOM_ATOM,
                                32, 2, offered);
        } else if (request.target == image) {
            xcb_change_property(connection, XCB_PROP_MODE_REPLACE, request.requestor, property, image, 8,
                                static_cast<std::uint32_t>(png.size()), png.data());
        } else {
            notice.property = XCB_ATOM_NONE;  // not in this form
        }
        xcb_send_event(connection, 0, request.requestor, XCB_EVENT_MASK_NO_EVENT,
                       reinterpret_cast<const char*>(&notice));
        xcb_flush(connection);
    }

    std::vector<std::uint8_t> png;
    xcb_connection_t* connection = nullptr;
    xcb_window_t window = 0;
    xcb_atom_t clipboard = 0, targets = 0, image = 0;
    int stop = -1;
    std::thread thread;
};

Result<std::unique_ptr<X11Picture>> X11Picture::offer(std::vector<std::uint8_t> png) {
    auto server = std::make_unique<Server>();
    server->png = std::move(png);
    WARPLENS_TRY(server->begin());
    return std::unique_ptr<X11Picture>(new X11Picture(std::move(server)));
}

#else

struct X11Picture::Server {};

Result<std::unique_ptr<X11Picture>> X11Picture::offer(std::vector<std::uint8_t>) {
    return fail("This build of Warplens knows no X11; save the picture as a file instead.");
}

#endif

X11Picture::X11Picture(std::unique_ptr<Server> server) : server_(std::move(server)) {}
X11Picture::~X11Picture() = default;

}  // namespace warplens::app
