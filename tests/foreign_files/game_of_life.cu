#include <SDL2/SDL.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned char cell;

#ifdef WIDE
enum { width = 512, height = 256 };
#else
enum { width = 256, height = 128 };
#endif

static SDL_Window *window;
static cell board[width * height];

static __device__ int wrapped(int x, int n)
{
    return x < 0 ? x + n : x >= n ? x - n : x;
}

static __global__ void step(const cell *now, cell *next)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                alive += now[wrapped(y + dy, height) * width + wrapped(x + dx, width)];
    cell self = now[y * width + x];
    next[y * width + x] = alive == 3 || (self && alive == 2);
}

static void randomize(void)
{
    int i;
    srand(time(NULL));
    for (i = 0; i < width * height; i++)
        board[i] = rand() % 2;
}

int main(int argc, char *argv[])
{
    cell *front, *back, *swap;
    dim3 threads = dim3(32, 8);
    dim3 blocks = dim3(width / threads.x, height / threads.y);
    SDL_Event event;

    randomize();
    cudaMalloc(&front, sizeof board);
    cudaMalloc(&back, sizeof board);
    cudaMemcpy(front, board, sizeof board, cudaMemcpyHostToDevice);

    window = SDL_CreateWindow("life", 0, 0, width, height, 0);
    for (;;) {
        while (SDL_PollEvent(&event))
            if (event.type == SDL_QUIT)
                return 0;
        step<<<blocks, threads>>>(front, back);
        swap = front;
        front = back;
        back = swap;
        cudaMemcpy(board, front, sizeof board, cudaMemcpyDeviceToHost);
        SDL_Delay(40);
    }
}
