#include "instrumentation/device/wire.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/json_text.h"

namespace warplens::instrumentation {

namespace {

constexpr std::size_t length_bytes = 4;
constexpr int max_depth = 8;

/// Milliseconds for poll, rounded up so that a wait never spins.
int until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 60000));
}

/// Whether `events` (or the end of the connection) came before the deadline.
bool wait_for(int socket, short events, Clock::time_point deadline) {
    while (true) {
        pollfd entry{socket, events, 0};
        const int ready = poll(&entry, 1, until(deadline));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        if (Clock::now() >= deadline) return false;
    }
}

}  // namespace

Channel::Channel(int socket, bool take_descriptors) : socket_(socket), take_descriptors_(take_descriptors) {
    if (socket_ >= 0) fcntl(socket_, F_SETFL, fcntl(socket_, F_GETFL) | O_NONBLOCK);
}

Channel::~Channel() { close(); }

Channel::Channel(Channel&& other) noexcept { *this = std::move(other); }

Channel& Channel::operator=(Channel&& other) noexcept {
    if (this == &other) return *this;
    close();
    socket_ = std::exchange(other.socket_, -1);
    take_descriptors_ = other.take_descriptors_;
    incoming_ = std::move(other.incoming_);
    descriptors_ = std::exchange(other.descriptors_, {});
    return *this;
}

void Channel::close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
    for (const int descriptor : descriptors_) ::close(descriptor);
    descriptors_.clear();
    incoming_.clear();
}

bool Channel::send(const Json& message, Clock::time_point deadline, int descriptor) {
    std::vector<std::uint8_t> bytes = to_cbor(message);
    bytes.insert(bytes.begin(), length_bytes, 0);
    const std::size_t length = bytes.size() - length_bytes;
    if (socket_ < 0 || length > max_message_bytes) return false;
    const auto written = static_cast<std::uint32_t>(length);
    std::memcpy(bytes.data(), &written, length_bytes);
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        iovec part{bytes.data() + sent, bytes.size() - sent};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        if (descriptor >= 0) {
            header.msg_control = control;
            header.msg_controllen = sizeof(control);
            cmsghdr* const entry = CMSG_FIRSTHDR(&header);
            entry->cmsg_level = SOL_SOCKET;
            entry->cmsg_type = SCM_RIGHTS;
            entry->cmsg_len = CMSG_LEN(sizeof(int));
            std::memcpy(CMSG_DATA(entry), &descriptor, sizeof(int));
        }
        const ssize_t count = sendmsg(socket_, &header, MSG_NOSIGNAL);
        if (count > 0) {
            sent += static_cast<std::size_t>(count);
            descriptor = -1;
        } else if (count < 0 && errno == EINTR) {
            continue;
        } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!wait_for(socket_, POLLOUT, deadline)) return false;
        } else {
            return false;
        }
    }
    return true;
}

Receipt Channel::fill(std::size_t wanted, Clock::time_point deadline) {
    while (incoming_.size() < wanted) {
        const std::size_t have = incoming_.size();
        // A claimed length is believed only as far as bytes come.
        const std::size_t step = std::min<std::size_t>(wanted - have, 64 * 1024);
        incoming_.resize(have + step);
        iovec part{incoming_.data() + have, step};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        if (take_descriptors_) {
            header.msg_control = control;
            header.msg_controllen = sizeof(control);
        }
        const ssize_t count = recvmsg(socket_, &header, MSG_CMSG_CLOEXEC);
        const int error = errno;
        incoming_.resize(have + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count == 0) return Receipt::closed;
        if (count < 0) {
            if (error == EINTR) continue;
            if (error != EAGAIN && error != EWOULDBLOCK) return Receipt::closed;
            if (!wait_for(socket_, POLLIN, deadline)) return Receipt::timed_out;
            continue;
        }
        for (cmsghdr* entry = CMSG_FIRSTHDR(&header); entry; entry = CMSG_NXTHDR(&header, entry)) {
            if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(entry), sizeof(int));
            descriptors_.push_back(descriptor);
        }
    }
    return Receipt::message;
}

Receipt Channel::receive(Json& message, Clock::time_point deadline) {
    if (socket_ < 0) return Receipt::closed;
    Receipt receipt = fill(length_bytes, deadline);
    if (receipt != Receipt::message) return receipt;
    std::uint32_t length = 0;
    std::memcpy(&length, incoming_.data(), length_bytes);
    if (length > max_message_bytes) return Receipt::nonsense;
    receipt = fill(length_bytes + length, deadline);
    if (receipt != Receipt::message) return receipt;
    const bool good = parse_message(std::span(incoming_).subspan(length_bytes), message);
    incoming_.clear();
    return good ? Receipt::message : Receipt::nonsense;
}

bool parse_message(std::span<const std::uint8_t> bytes, Json& message) {
    auto parsed = parse_cbor(bytes, max_depth);
    if (!parsed || !parsed->is_object()) return false;
    message = std::move(*parsed);
    return true;
}

bool Channel::has_input() const {
    pollfd entry{socket_, POLLIN, 0};
    return poll(&entry, 1, 0) > 0;
}

int Channel::take_descriptor() {
    if (descriptors_.empty()) return -1;
    const int descriptor = descriptors_.front();
    descriptors_.pop_front();
    return descriptor;
}

namespace {

template <class T>
bool read_unsigned(const Json& object, const char* key, T& value) {
    const Json* const found = object.find(key);
    if (!found || !found->is_unsigned()) return false;
    const auto number = found->as_unsigned();
    if (number > std::numeric_limits<T>::max()) return false;
    value = static_cast<T>(number);
    return true;
}

template <class T>
bool read_numbers(const Json& object, const char* key, std::vector<T>& values, std::uint64_t most) {
    const Json* const list = read_array(object, key);
    if (!list) return false;
    values.clear();
    for (const Json& entry : *list) {
        if (!entry.is_unsigned() || entry.as_unsigned() > most) return false;
        values.push_back(static_cast<T>(entry.as_unsigned()));
    }
    return true;
}

}  // namespace

bool read(const Json& object, const char* key, bool& value) {
    const Json* const found = object.find(key);
    if (!found || !found->is_boolean()) return false;
    value = found->as_bool();
    return true;
}

bool read(const Json& object, const char* key, std::vector<std::uint32_t>& values) {
    return read_numbers(object, key, values, std::numeric_limits<std::uint32_t>::max());
}
bool read(const Json& object, const char* key, std::vector<std::uint64_t>& values) {
    return read_numbers(object, key, values, std::numeric_limits<std::uint64_t>::max());
}
bool read(const Json& object, const char* key, std::vector<std::byte>& values) {
    return read_numbers(object, key, values, 0xff);
}

Json as_numbers(const std::vector<std::byte>& bytes) {
    Json numbers = Json::array();
    for (const std::byte byte : bytes) numbers.push_back(std::to_integer<unsigned>(byte));
    return numbers;
}

/// Never negative: no int of the protocol is.
bool read(const Json& object, const char* key, int& value) { return read_unsigned(object, key, value); }
bool read(const Json& object, const char* key, std::uint32_t& value) {
    return read_unsigned(object, key, value);
}
bool read(const Json& object, const char* key, std::uint64_t& value) {
    return read_unsigned(object, key, value);
}

bool read(const Json& object, const char* key, double& value) {
    const Json* const found = object.find(key);
    if (!found || !found->is_number()) return false;
    value = found->as_double();
    return std::isfinite(value);
}

bool read(const Json& object, const char* key, std::string& value) {
    const Json* const found = object.find(key);
    if (!found || !found->is_string()) return false;
    value = found->as_string();
    return true;
}

const Json* read_array(const Json& object, const char* key) {
    const Json* const found = object.find(key);
    return found && found->is_array() ? found : nullptr;
}

}  // namespace warplens::instrumentation
