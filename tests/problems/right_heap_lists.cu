/*
[kernel]
title = "Lists on the heap that are given back"

[buffers]
out = { type = "i32", length = "128", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["2"]
block = ["64"]
*/

struct Node {
    int value;
    Node* next;
};
extern "C" __global__ void right_heap_lists(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node* list = nullptr;
    for (int k = 0; k < threadIdx.x % 5; ++k) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        if (!node) break;
        node->value = k + i;
        node->next = list;
        list = node;
    }
    int sum = 0;
    while (list) {
        sum += list->value;
        Node* next = list->next;
        free(list);
        list = next;
    }
    free(nullptr);
    out[i] = sum;
}
