// A lock-free hash table with linear probing: insert, look up.
#include <cstdint>
#include <cstdio>
#include <random>
#include <unordered_map>
#include <vector>
#include <cuda_runtime.h>

struct KeyValue {
    uint32_t key;
    uint32_t value;
};

const uint32_t kHashTableCapacity = 128 * 1024;
const uint32_t kNumKeyValues = kHashTableCapacity / 2;
const uint32_t kEmpty = 0xffffffff;

__device__ uint32_t hash(uint32_t k)
{
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k & (kHashTableCapacity - 1);
}

__global__ void gpu_hashtable_insert(KeyValue* hashtable, const KeyValue* kvs, unsigned int numkvs)
{
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < numkvs) {
        uint32_t key = kvs[threadid].key;
        uint32_t value = kvs[threadid].value;
        uint32_t slot = hash(key);
        while (true) {
            uint32_t prev = atomicCAS(&hashtable[slot].key, kEmpty, key);
            if (prev == kEmpty || prev == key) {
                hashtable[slot].value = value;
                return;
            }
            slot = (slot + 1) & (kHashTableCapacity - 1);
        }
    }
}

__global__ void gpu_hashtable_lookup(KeyValue* hashtable, KeyValue* kvs, unsigned int numkvs)
{
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < numkvs) {
        uint32_t key = kvs[threadid].key;
        uint32_t slot = hash(key);
        while (true) {
            if (hashtable[slot].key == key) {
                kvs[threadid].value = hashtable[slot].value;
                return;
            }
            if (hashtable[slot].key == kEmpty) {
                kvs[threadid].value = kEmpty;
                return;
            }
            slot = (slot + 1) & (kHashTableCapacity - 1);
        }
    }
}

KeyValue* create_hashtable()
{
    KeyValue* hashtable;
    cudaMalloc(&hashtable, sizeof(KeyValue) * kHashTableCapacity);
    cudaMemset(hashtable, 0xff, sizeof(KeyValue) * kHashTableCapacity);
    return hashtable;
}

void insert_hashtable(KeyValue* pHashTable, const KeyValue* kvs, uint32_t num_kvs)
{
    KeyValue* device_kvs;
    cudaMalloc(&device_kvs, sizeof(KeyValue) * num_kvs);
    cudaMemcpy(device_kvs, kvs, sizeof(KeyValue) * num_kvs, cudaMemcpyHostToDevice);
    int threadblocksize = 1024;
    int gridsize = ((uint32_t)num_kvs + threadblocksize - 1) / threadblocksize;
    gpu_hashtable_insert<<<gridsize, threadblocksize>>>(pHashTable, device_kvs, (uint32_t)num_kvs);
    cudaFree(device_kvs);
}

void lookup_hashtable(KeyValue* pHashTable, KeyValue* kvs, uint32_t num_kvs)
{
    KeyValue* device_kvs;
    cudaMalloc(&device_kvs, sizeof(KeyValue) * num_kvs);
    cudaMemcpy(device_kvs, kvs, sizeof(KeyValue) * num_kvs, cudaMemcpyHostToDevice);
    gpu_hashtable_lookup<<<(num_kvs + 255) / 256, 256>>>(pHashTable, device_kvs, num_kvs);
    cudaMemcpy(kvs, device_kvs, sizeof(KeyValue) * num_kvs, cudaMemcpyDeviceToHost);
    cudaFree(device_kvs);
}

std::vector<KeyValue> generate_random_keyvalues(std::mt19937& rnd, uint32_t numkvs)
{
    std::uniform_int_distribution<uint32_t> dis(0, kEmpty - 1);
    std::vector<KeyValue> kvs;
    kvs.reserve(numkvs);
    for (uint32_t i = 0; i < numkvs; i++) {
        uint32_t rand0 = dis(rnd);
        uint32_t rand1 = dis(rnd);
        kvs.push_back(KeyValue{rand0, rand1});
    }
    return kvs;
}

int main()
{
    std::mt19937 rnd(1234);
    std::vector<KeyValue> insert_kvs = generate_random_keyvalues(rnd, kNumKeyValues);
    KeyValue* pHashTable = create_hashtable();
    insert_hashtable(pHashTable, insert_kvs.data(), (uint32_t)insert_kvs.size());
    lookup_hashtable(pHashTable, insert_kvs.data(), (uint32_t)insert_kvs.size());
    printf("%u -> %u\n", insert_kvs[0].key, insert_kvs[0].value);
    cudaFree(pHashTable);
    return 0;
}
