// Mutation: hostile bytes made from valid ones, the same for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace warplens::soak {

using Random = std::mt19937_64;

/// One of the seeds with a few of its bytes flipped, its parts swapped, cut, repeated or spliced with another
/// seed, its numbers made huge, or hostile words inserted.
std::string mutated(const std::vector<std::string>& seeds, Random& random);

/// The words of a command line, program name left out: a known command with hostile values.
std::vector<std::string> hostile_command(Random& random);

}  // namespace warplens::soak
