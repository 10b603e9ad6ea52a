// Declares the functions of LaneFunctions in the namespace WARPLENS_LANES. Included once for each variant, so
// it has no guard.
namespace warplens::simt::WARPLENS_LANES {

LaneSteps lane_steps(const u64* addresses, u64 bytes);
u32 shuffle_sources(u32 mode, const u32* b, const u32* c, s32* from);
bool multiply_floats(const FloatProduct& product, bool* left_out);
bool multiply_doubles(const DoubleProduct& product, bool* left_out);
void multiply_integers(const IntegerProduct& product);

}  // namespace warplens::simt::WARPLENS_LANES
