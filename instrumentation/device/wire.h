// Channel: one end of the socket between the recorder and its child. A message is a 4-byte length and that
// many bytes of CBOR. What comes in is held to limits of size and depth before it is looked at; what it
// says is for the reader to doubt. Bulk data does not go through here; see shared_region.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "core/json.h"

namespace warplens::instrumentation {

using Clock = std::chrono::steady_clock;

inline constexpr std::size_t max_message_bytes = std::size_t{1} << 20;

enum class Receipt : std::uint8_t {
    message,
    timed_out,  // what came so far is kept for the next call
    closed,
    nonsense  // too long, too deep, or no CBOR
};

class Channel {
  public:
    /// Owns the socket. `take_descriptors`: file descriptors that come with messages are kept; else the
    /// kernel closes them.
    explicit Channel(int socket = -1, bool take_descriptors = false);
    ~Channel();
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&& other) noexcept;

    /// False when the other end is gone or does not read before the deadline. A descriptor >= 0 goes along.
    bool send(const Json& message, Clock::time_point deadline, int descriptor = -1);
    Receipt receive(Json& message, Clock::time_point deadline);
    /// True when something is there to be read, or the other end is gone.
    bool has_input() const;
    /// The oldest descriptor that came and was not taken; -1 when there is none. The caller closes it.
    int take_descriptor();

    int socket() const { return socket_; }
    void close();

  private:
    Receipt fill(std::size_t wanted, Clock::time_point deadline);

    int socket_ = -1;
    bool take_descriptors_ = false;
    std::vector<std::uint8_t> incoming_;  // length and as much of the message as has come
    std::deque<int> descriptors_;
};

/// What came in a message, held to the limits of depth; false if it is not an object in CBOR.
bool parse_message(std::span<const std::uint8_t> bytes, Json& message);

/// Reads `key` of an object as T; false when it is not there or does not fit T. Never throws.
bool read(const Json& object, const char* key, bool& value);
bool read(const Json& object, const char* key, int& value);
bool read(const Json& object, const char* key, std::uint32_t& value);
bool read(const Json& object, const char* key, std::uint64_t& value);
bool read(const Json& object, const char* key, double& value);  // finite
bool read(const Json& object, const char* key, std::string& value);
/// An array of numbers that fit.
bool read(const Json& object, const char* key, std::vector<std::uint32_t>& values);
bool read(const Json& object, const char* key, std::vector<std::uint64_t>& values);
bool read(const Json& object, const char* key, std::vector<std::byte>& values);
/// As the last one reads them.
Json as_numbers(const std::vector<std::byte>& bytes);
/// The array at `key`; null when there is none.
const Json* read_array(const Json& object, const char* key);

}  // namespace warplens::instrumentation
