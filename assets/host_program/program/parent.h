// The conversation with Warplens over descriptor 4: a line of JSON goes out, a line of text comes back.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <mutex>
#include <string>

namespace warplens_program {

class Parent {
  public:
    static constexpr int descriptor = 4;

    static Parent& instance() {
        static Parent& parent = *new Parent;  // stays until the end, for destructors of the program
        return parent;
    }

    /// The answer to a line, without its end. Ends the program when Warplens is gone.
    std::string ask(const std::string& line) {
        const std::lock_guard<std::mutex> lock(mutex_);
        send_all(line + "\n");
        for (;;) {
            const std::size_t end = received_.find('\n');
            if (end != std::string::npos) {
                const std::string answer = received_.substr(0, end);
                received_.erase(0, end + 1);
                return answer;
            }
            char bytes[512];
            const ssize_t count = recv(descriptor, bytes, sizeof bytes, 0);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) _exit(0);
            received_.append(bytes, static_cast<std::size_t>(count));
        }
    }

  private:
    static void send_all(const std::string& text) {
        std::size_t sent = 0;
        while (sent < text.size()) {
            const ssize_t count = send(descriptor, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) _exit(0);
            sent += static_cast<std::size_t>(count);
        }
    }

    std::mutex mutex_;
    std::string received_;
};

}  // namespace warplens_program
