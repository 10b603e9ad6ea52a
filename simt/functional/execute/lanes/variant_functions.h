// Declares the functions of LaneFunctions in the namespace WARPLENS_LANES. Included once for each variant, so
// it has no guard. WARPLENS_LANE_LINKAGE is of lane_variant.h.
#ifndef WARPLENS_LANE_LINKAGE
#define WARPLENS_LANE_LINKAGE
#endif
namespace warplens::simt::WARPLENS_LANES {

WARPLENS_LANE_LINKAGE LaneSteps lane_steps(const u64* addresses, u64 bytes);
WARPLENS_LANE_LINKAGE u32 shuffle_sources(u32 mode, const u32* b, const u32* c, s32* from);
WARPLENS_LANE_LINKAGE void permute_words(u32* d, const u32* words, const s32* from);
WARPLENS_LANE_LINKAGE void fill_words(u32* d, u32 value);
WARPLENS_LANE_LINKAGE void fill_wide(u64* d, u64 value);
WARPLENS_LANE_LINKAGE u64 hash_words(const u32* words, u64 count, u64 seed);
WARPLENS_LANE_LINKAGE bool multiply_floats(const FloatProduct& product, bool* left_out);
WARPLENS_LANE_LINKAGE bool multiply_doubles(const DoubleProduct& product, bool* left_out);
WARPLENS_LANE_LINKAGE void multiply_integers(const IntegerProduct& product);

}  // namespace warplens::simt::WARPLENS_LANES
