/*
[kernel]
title   = "Smith-Waterman score of one pair of sequences, diagonal by diagonal in shared memory"

[parameters]
length = { default = 512 }

[buffers]
first = { type = "u8", length = "length", fill = "random", seed = "103", below = "4" }
second = { type = "u8", length = "length", fill = "random", seed = "104", below = "4" }
best = { type = "i32", length = "1", fill = "zero" }

[launch]
arguments = ["first", "second", "best", "length"]
grid  = ["1"]
block = ["512"]
*/
extern "C" __global__ void smith_waterman(const unsigned char* first, const unsigned char* second, int* best,
                                          int length) {
    __shared__ int scores[3][513];
    __shared__ unsigned char letters[512];
    __shared__ int largest;
    const int row = threadIdx.x;
    const int letter = first[row];
    letters[row] = second[row];
    for (int i = 0; i < 3; ++i) scores[i][row + 1] = 0;
    if (row < 3) scores[row][0] = 0;
    if (row == 0) largest = 0;
    __syncthreads();
    int most = 0;
    for (int diagonal = 0; diagonal < 2 * length - 1; ++diagonal) {
        const int column = diagonal - row;
        const int now = diagonal % 3, last = (diagonal + 2) % 3, before = (diagonal + 1) % 3;
        int score = 0;
        if (column >= 0 && column < length) {
            score = max(0, scores[before][row] + (letters[column] == letter ? 3 : -2));
            score = max(score, max(scores[last][row], scores[last][row + 1]) - 4);
            most = max(most, score);
        }
        scores[now][row + 1] = score;
        __syncthreads();
    }
    atomicMax(&largest, most);
    __syncthreads();
    if (row == 0) *best = largest;
}
