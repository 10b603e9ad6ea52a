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
__device__ const unsigned char lens[64][32] = {{1,1,1,1,1,9,1,1,5,5,4,1,1,1,1,1,1,1,4,1,1,1,4,1,5,1,1,1,8,1,4,1},{3,5,5,3,5,5,3,3,2,3,5,5,2,5,5,3,3,3,3,5,5,2,2,2,3,2,3,2,5,2,5,5},{3,3,15,3,1,1,1,10,3,1,10,10,22,1,3,1,3,27,1,25,11,10,10,1,3,10,1,1,10,14,12,1},{20,27,7,9,7,7,7,7,7,7,7,7,7,38,9,7,28,7,7,7,7,7,7,9,31,19,7,7,10,17,7,7},{19,2,2,16,2,1,4,1,1,11,15,1,2,2,1,1,2,1,1,1,12,2,1,1,2,1,2,2,2,1,2,1},{1,1,2,2,1,1,1,2,1,1,1,1,1,2,2,1,1,1,1,1,2,1,1,1,1,2,1,2,1,2,1,1},{4,3,4,4,4,4,4,4,4,3,4,4,3,4,4,4,4,3,4,4,4,4,4,4,4,4,4,4,4,4,4,1},{6,3,3,3,3,3,9,3,6,3,3,19,3,9,3,3,3,9,11,3,3,9,3,3,6,3,3,18,6,6,3,6},{5,2,2,2,2,2,2,2,5,2,2,2,2,8,2,8,5,2,5,2,2,5,2,2,2,2,8,2,2,2,2,8},{6,3,13,3,3,6,3,20,3,6,13,3,6,13,3,3,6,23,3,6,3,23,6,3,3,3,6,3,3,20,6,6},{7,7,7,10,10,10,7,7,10,10,7,10,7,7,10,7,7,10,10,7,12,7,7,7,10,10,14,7,7,7,7,7},{7,7,7,7,7,7,7,7,7,7,7,10,9,7,7,10,7,7,7,10,7,7,7,9,9,7,7,7,7,7,7,7},{7,16,7,7,19,7,7,14,7,7,14,7,7,7,7,7,7,15,7,7,7,7,7,7,7,7,7,7,7,7,7,7},{2,2,2,2,2,2,2,2,1,2,1,2,1,2,2,2,2,2,2,2,2,2,2,2,1,2,5,2,2,2,2,2},{13,9,7,7,7,7,7,11,9,9,7,7,9,7,7,9,9,9,7,7,7,7,7,7,9,7,7,7,11,11,11,7},{1,12,9,1,1,2,12,11,2,2,1,10,1,1,1,1,2,2,2,9,1,1,1,9,9,2,1,9,9,2,1,1},{3,3,3,3,3,3,3,3,4,4,3,3,3,4,3,3,4,4,4,3,3,3,3,4,3,3,3,3,3,3,3,4},{2,2,2,2,2,2,2,2,2,2,2,2,2,2,4,11,2,2,2,2,2,2,2,18,2,2,2,2,2,2,2,2},{3,3,11,4,11,3,3,11,11,3,3,3,4,4,3,11,4,11,11,11,3,3,3,3,3,3,3,11,11,3,3,3},{8,4,2,4,2,2,2,2,2,2,2,2,8,2,2,2,2,2,7,2,2,2,4,7,2,2,2,2,4,2,7,8},{3,3,3,3,9,3,11,3,3,4,3,3,7,3,3,3,3,5,5,7,3,5,3,5,3,5,3,3,7,18,10,3},{4,4,4,4,4,1,4,4,7,4,14,4,4,7,4,4,7,4,4,4,4,4,4,7,15,7,14,4,4,4,4,4},{4,17,4,11,7,7,1,4,2,1,2,1,4,1,7,1,4,1,4,1,1,8,16,7,1,7,7,1,1,15,13,4},{2,4,7,4,2,4,2,2,4,4,2,2,2,4,2,4,2,2,2,2,7,7,2,2,2,7,2,4,4,4,2,2},{1,1,1,1,1,5,5,1,1,3,1,1,1,1,1,1,3,1,1,1,5,1,1,5,3,1,3,1,5,1,1,3},{4,6,6,5,6,5,3,5,4,4,5,5,5,5,5,5,3,5,4,5,5,6,3,4,5,4,4,5,4,6,4,6},{3,10,10,10,13,3,13,13,13,3,3,13,3,3,3,3,13,10,10,13,3,10,13,3,3,3,3,3,10,10,10,13},{3,3,10,3,3,10,10,3,3,3,3,10,3,10,3,3,3,10,3,3,11,10,3,10,10,12,3,10,10,3,11,11},{4,5,4,4,4,4,8,2,5,4,4,4,2,4,5,5,5,2,4,5,2,6,2,8,4,5,4,2,4,4,2,2},{3,2,2,3,2,3,3,1,1,1,1,1,1,1,1,1,3,2,3,1,3,1,3,1,2,1,3,3,2,1,2,2},{4,3,6,6,4,6,3,4,4,3,4,5,4,3,6,6,4,6,4,3,4,4,8,6,6,4,3,6,6,6,3,4},{3,1,1,3,3,4,3,1,3,1,4,4,4,4,1,3,1,1,1,1,1,3,1,3,3,3,3,3,1,3,1,1},{3,3,2,3,3,2,2,2,3,2,2,2,3,3,2,3,3,2,2,2,2,2,3,2,2,2,2,2,3,2,3,2},{2,1,8,1,1,2,1,5,1,2,2,1,1,1,1,1,2,17,2,1,3,1,2,6,1,1,1,15,1,3,1,5},{13,7,10,7,7,11,25,17,8,7,7,8,7,7,24,7,7,7,7,7,7,28,7,8,8,7,7,7,7,7,16,7},{2,2,2,2,2,2,2,2,6,2,6,2,2,6,6,6,2,2,5,2,6,2,2,5,2,2,2,2,2,2,2,2},{1,1,8,1,1,8,1,1,1,1,8,1,15,1,15,1,1,15,15,1,15,1,8,15,1,1,15,15,8,1,15,1},{5,5,17,5,5,5,1,5,5,5,24,4,5,5,6,1,4,4,5,5,5,1,1,14,1,5,5,5,4,4,13,1},{7,12,8,7,8,7,7,9,7,7,7,7,7,7,7,9,7,7,9,7,12,9,7,8,7,8,7,7,13,7,7,8},{1,1,3,1,1,3,3,1,1,1,1,3,1,1,1,1,1,1,1,1,1,1,3,1,1,1,3,1,3,3,1,1},{15,15,7,7,7,7,7,7,7,33,7,15,7,14,7,14,7,7,15,7,14,7,34,7,7,7,22,7,15,26,25,14},{2,4,4,1,2,1,4,2,1,4,6,1,1,4,1,7,2,2,1,2,2,1,1,2,2,2,4,1,2,2,2,2},{9,2,2,2,3,2,3,3,2,11,3,30,14,2,2,3,3,2,2,2,21,3,2,2,2,6,3,2,3,23,10,3},{7,10,9,7,10,7,7,19,9,9,9,7,7,9,9,10,7,22,9,7,9,10,7,20,7,23,7,21,7,7,18,17},{17,2,1,2,1,9,1,9,1,1,1,9,10,1,1,28,1,1,19,1,1,10,2,1,1,18,9,26,1,2,1,27},{3,3,3,4,3,1,3,3,6,3,3,3,3,3,6,7,4,1,1,3,1,3,3,1,3,3,4,3,3,6,3,1},{5,3,3,5,3,5,4,3,4,5,3,3,4,4,5,5,3,4,5,3,4,4,4,3,3,3,3,3,5,3,3,3},{5,5,5,2,2,10,5,2,5,2,2,11,9,2,2,2,2,6,19,27,5,2,9,2,2,20,5,18,5,2,2,2},{9,2,2,33,2,9,23,9,40,9,2,2,9,2,9,2,2,2,39,2,41,26,9,16,2,2,2,9,2,16,36,9},{11,1,1,1,1,4,13,1,13,1,4,1,1,1,4,11,1,1,1,4,1,1,1,1,1,1,1,4,1,1,1,1},{1,1,4,1,1,1,1,4,1,1,4,1,6,1,1,1,1,6,1,1,6,6,4,1,6,6,6,1,1,4,6,6},{7,9,22,25,7,7,10,17,23,9,9,9,9,24,9,9,9,26,7,9,7,9,9,9,7,9,19,9,10,9,9,7},{2,11,2,2,2,2,11,2,3,3,14,11,2,2,2,2,15,10,10,2,11,2,3,3,2,11,2,2,2,15,3,2},{1,1,1,1,2,1,2,2,2,2,2,1,1,2,2,1,2,1,2,2,1,2,1,2,2,1,1,2,2,1,2,2},{3,3,18,3,3,3,3,3,3,3,4,3,3,3,3,3,3,16,3,3,3,3,3,3,3,3,14,23,11,20,3,3},{1,1,1,1,1,1,1,1,14,1,4,7,1,1,1,1,1,1,1,1,1,19,1,4,4,4,1,4,1,1,16,1},{11,7,10,11,10,10,10,10,11,11,10,10,7,7,10,11,11,10,11,7,7,11,7,10,10,10,11,10,11,10,10,11},{3,3,3,6,3,3,3,3,8,3,3,3,3,3,3,3,3,3,8,3,3,3,3,7,3,3,3,3,3,7,6,3},{2,2,2,2,2,3,2,2,3,2,2,2,2,2,11,2,2,11,2,2,2,2,2,2,11,2,2,2,2,3,2,10},{7,1,1,7,1,1,1,4,10,1,1,1,11,1,1,1,1,1,1,1,4,4,1,1,10,1,1,1,4,4,1,1},{1,1,1,1,3,3,1,6,6,1,3,3,6,1,1,1,1,3,1,6,1,1,1,1,1,1,3,1,6,3,1,3},{8,11,8,8,11,8,8,11,8,20,8,18,8,8,11,8,11,8,8,8,8,7,8,8,11,7,19,8,8,8,8,7},{23,9,9,23,23,9,23,7,23,16,23,7,9,7,7,7,23,9,7,7,9,7,23,7,7,7,7,23,9,23,7,7},{1,1,1,1,1,1,12,1,1,1,1,1,5,12,1,1,1,1,5,1,1,1,1,1,4,1,1,4,4,1,4,1}};
extern "C" __global__ void loop_exits_3(unsigned* mem, unsigned* log) {
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
