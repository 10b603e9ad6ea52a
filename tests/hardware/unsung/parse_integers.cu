/*
[kernel]
title   = "Decimal numbers in fields of twelve characters: each thread skips blanks, reads a sign and digits, and marks what is no number"

[parameters]
fields = { default = 67584 }

[buffers]
text = { type = "u8", length = "fields * 12", fill = "formula", value = "i % 12 < random(6) and 32 or (random(40) == 0 and 45 or 48 + random(10))", seed = "1931" }
numbers = { type = "i32", length = "fields", fill = "zero" }
wrong = { type = "u8", length = "fields", fill = "zero" }

[launch]
arguments = ["text", "numbers", "wrong", "fields"]
grid  = ["ceil_div(fields, 256)"]
block = ["256"]
*/
extern "C" __global__ void parse_integers(const unsigned char* __restrict__ text, int* __restrict__ numbers,
                                          unsigned char* __restrict__ wrong, int fields) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fields) return;
    const unsigned char* p = text + 12 * i;
    int at = 0, number = 0;
    while (at < 12 && p[at] == ' ') ++at;
    const bool negative = at < 12 && p[at] == '-';
    if (negative) ++at;
    for (; at < 12; ++at) {
        const int digit = p[at] - '0';
        if (digit < 0 || digit > 9) {
            wrong[i] = at + 1;
            return;
        }
        if (number > 214748363) {
            wrong[i] = 255;
            return;
        }
        number = number * 10 + digit;
    }
    numbers[i] = negative ? -number : number;
}
