// The types of cooperative groups, so that signatures and aliases compile. Only device code makes groups.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

/// What all groups offer. A host that calls a member ends with a message.
class thread_group {
  public:
    void sync() const { warplens_program::only_on_a_device("sync"); }
    static unsigned long long size() { warplens_program::only_on_a_device("size"); }
    static unsigned long long num_threads() { warplens_program::only_on_a_device("num_threads"); }
    static unsigned long long thread_rank() { warplens_program::only_on_a_device("thread_rank"); }
};

class thread_block : public thread_group {
  public:
    static dim3 group_index() { warplens_program::only_on_a_device("group_index"); }
    static dim3 thread_index() { warplens_program::only_on_a_device("thread_index"); }
    static dim3 group_dim() { warplens_program::only_on_a_device("group_dim"); }
    static dim3 dim_threads() { warplens_program::only_on_a_device("dim_threads"); }
};
/// What groups within a warp offer besides.
class warp_group : public thread_group {
  public:
    template <class Type>
    Type shfl(Type, int) const {
        warplens_program::only_on_a_device("shfl");
    }
    template <class Type>
    Type shfl_up(Type, int) const {
        warplens_program::only_on_a_device("shfl_up");
    }
    template <class Type>
    Type shfl_down(Type, int) const {
        warplens_program::only_on_a_device("shfl_down");
    }
    template <class Type>
    Type shfl_xor(Type, int) const {
        warplens_program::only_on_a_device("shfl_xor");
    }
    unsigned int ballot(int) const { warplens_program::only_on_a_device("ballot"); }
    int any(int) const { warplens_program::only_on_a_device("any"); }
    int all(int) const { warplens_program::only_on_a_device("all"); }
    unsigned int meta_group_rank() const { warplens_program::only_on_a_device("meta_group_rank"); }
    unsigned int meta_group_size() const { warplens_program::only_on_a_device("meta_group_size"); }
};
class grid_group : public thread_group {};
class cluster_group : public thread_group {};
class coalesced_group : public warp_group {};
template <unsigned int width, class Parent = void>
class thread_block_tile : public warp_group {
  public:
    thread_block_tile() = default;
    template <class OtherParent>
    thread_block_tile(const thread_block_tile<width, OtherParent>&) {}
};

inline thread_block this_thread_block() { warplens_program::only_on_a_device("this_thread_block"); }
inline grid_group this_grid() { warplens_program::only_on_a_device("this_grid"); }
inline cluster_group this_cluster() { warplens_program::only_on_a_device("this_cluster"); }
inline coalesced_group coalesced_threads() { warplens_program::only_on_a_device("coalesced_threads"); }
template <unsigned int width, class Parent>
thread_block_tile<width, Parent> tiled_partition(const Parent&) {
    warplens_program::only_on_a_device("tiled_partition");
}
template <class Group>
void sync(const Group&) {
    warplens_program::only_on_a_device("sync");
}

}  // namespace cooperative_groups
