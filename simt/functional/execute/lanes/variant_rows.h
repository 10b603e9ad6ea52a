// Declares the tables in the namespace WARPLENS_LANES. Included once for each variant, so it has no guard.
namespace warplens::simt::WARPLENS_LANES {

ExecutorRows integer_rows();
ExecutorRows float_rows();
ExecutorRows bitwise_rows();
ExecutorRows compare_rows();
ExecutorRows move_rows();
ExecutorRows access_rows();
ExecutorRows examination_rows();
ExecutorRows machine_word_rows();

}  // namespace warplens::simt::WARPLENS_LANES
