/*
[kernel]
title   = "Loops without YIELD that lanes leave at different times"

[buffers]
mem = { type = "u32", length = "4096", fill = "zero" }
log = { type = "u32", length = "262144", fill = "zero" }

[launch]
arguments = ["mem", "log"]
grid  = ["1"]
block = ["32"]
*/
__device__ const unsigned char lens[64][32] = {{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2},{2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2},{2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2},{2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,3,3,3,3},{3,3,3,3,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3},{3,3,3,3,3,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,3,3,3,3,3,3},{3,3,3,3,3,3,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3},{3,3,3,3,3,3,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,3,3,3},{3,3,3,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,3,3},{3,3,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,3},{3,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,3},{3,3,3,3,3,3,3,3,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,3,3,3,3,3,3},{3,3,3,3,3,3,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,3},{3,3,3,3,3,3,3,3,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1},{1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,4,4,4},{4,4,4,3,3,3,3,3,3,3,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1},{1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,3,4,4,4,4,4},{4,4,4,4,4,3,3,3,3,3,3,3,3,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1},{1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,3,3,4,4,4,5,5,5},{5,5,5,4,4,4,3,3,3,3,3,3,3,3,3,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1},{1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,4,4,4,4},{4,4,4,4,3,3,3,3,3,3,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,3,3,3,3,3,3,3,3},{3,3,3,3,3,3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,2,2,2,2,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,4,4,4,4,4,4},{4,4,4,4,4,4,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,2,2,2,2,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,3,3,3,3,4,4,5},{5,4,4,3,3,3,3,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,3,3,3,4},{4,3,3,3,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1},{1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,3,3,4,4,4,4,4,4,4,4,5,5},{5,5,4,4,4,4,4,4,4,4,3,3,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1},{4,4,8,3,8,4,3,3,3,3,3,3,4,3,4,3,3,5,3,8,4,3,4,4,3,5,3,4,3,3,3,4},{6,2,3,3,2,2,2,2,2,6,2,2,3,2,7,2,7,2,3,2,2,2,2,3,3,3,2,3,3,3,2,2},{4,1,4,4,6,6,6,1,4,4,4,1,6,6,6,1,6,6,4,4,6,6,4,6,4,4,4,6,4,4,4,6},{10,3,10,3,3,3,10,10,3,3,3,10,10,3,10,3,3,3,10,10,10,3,3,3,10,3,3,3,10,10,3,10},{9,9,9,9,9,9,9,16,16,16,9,9,16,16,9,16,16,2,9,16,2,2,16,16,9,9,2,9,9,9,9,16},{5,5,4,1,1,4,4,4,5,4,4,5,1,4,4,5,1,4,5,4,4,4,4,4,4,4,4,4,4,4,1,4},{5,2,9,2,2,2,2,2,2,5,2,2,2,2,16,2,8,11,2,5,2,2,2,2,5,2,14,2,17,5,2,2},{3,3,11,7,3,7,3,3,7,3,3,3,3,3,7,6,3,3,3,3,3,3,10,3,3,3,7,3,6,3,3,8},{1,1,7,1,1,1,7,1,1,1,1,1,1,1,1,4,1,1,1,1,1,7,1,7,1,1,1,7,1,1,7,1},{1,1,1,2,1,1,2,1,1,1,5,1,1,1,6,1,1,1,1,1,2,6,1,2,1,1,1,1,2,1,1,1},{7,7,8,7,7,7,7,8,7,7,7,7,7,7,8,15,7,7,8,7,7,7,8,7,8,7,7,7,15,7,15,15},{8,8,8,8,11,1,8,11,12,8,11,8,12,11,8,11,11,8,8,1,8,8,8,8,11,12,22,8,8,15,11,8},{6,1,1,1,1,3,3,1,1,1,1,1,6,3,1,1,3,3,1,3,6,1,1,1,1,1,3,6,1,1,1,1},{4,1,1,3,1,1,3,1,1,1,3,3,4,1,1,1,3,1,3,1,4,4,3,3,3,4,1,3,3,1,3,4},{7,7,14,14,7,7,7,7,7,7,14,14,14,14,14,7,14,7,7,7,7,7,7,7,14,7,7,7,7,14,7,7},{7,7,7,7,8,7,7,7,7,7,16,7,15,7,7,7,7,8,7,7,7,7,7,7,7,7,16,7,7,15,7,8},{21,22,7,21,7,7,21,7,21,7,14,7,21,7,7,7,25,7,7,7,21,14,21,7,21,28,7,7,7,7,7,7},{15,16,8,8,1,11,1,11,1,1,8,1,8,11,1,1,1,1,11,8,11,8,8,1,14,8,8,8,1,1,1,11},{1,2,2,2,2,2,1,2,2,2,2,2,1,2,2,2,2,2,2,2,2,2,2,2,2,1,2,1,2,2,2,2},{7,7,6,7,3,3,3,6,6,3,3,3,3,7,3,3,7,6,3,7,3,3,4,3,3,3,3,3,3,3,3,3}};
extern "C" __global__ void loop_exits_0(unsigned* mem, unsigned* log) {
    const unsigned lane = threadIdx.x; unsigned x = lane;
    { const unsigned len = lens[0][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[1][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[2][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[3][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[4][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[5][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[6][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[7][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[8][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[9][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[10][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[11][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[12][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[13][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[14][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[15][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[16][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[17][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[18][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[19][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[20][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[21][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[22][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[23][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[24][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[25][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[26][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[27][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[28][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[29][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[30][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[31][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[32][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[33][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[34][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[35][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[36][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[37][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[38][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[39][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[40][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[41][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[42][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[43][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[44][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[45][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[46][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[47][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[48][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[49][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[50][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[51][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[52][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[53][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[54][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[55][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[56][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[57][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[58][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[59][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[60][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[61][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[62][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    { const unsigned len = lens[63][lane]; unsigned j = 0;
#pragma unroll 1
    for (;;) {  if (j >= len) break; ++j; x = x * 3 + j; }
    x ^= x >> 7;  }
    log[lane] = x;
}
