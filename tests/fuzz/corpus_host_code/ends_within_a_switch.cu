#include <stdio.h>
#incl dim3 dimGrid(blocks, 1, 1);
    intþÿÿÙmSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    if (isPow2(size)) {
        switch (threads) {
            case 256:
                reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 256:
                reduce6<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
               ÙmSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    if (isPow2(size)) {
        switch (threads) {
            case 256:
                reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
 trix, const Matrix, Matrix);

void MatMul(const Matrix A, const Matrix B, Matrix C)
{
   a/L  o/d A and B to device memory
    Matrix d_A;
    d_A.width = A.width; d_A.height = A.height;
    size_t sizedimGrid, dimBlock, smemÓize>>>(d_idata, d_odata, size);
                break;
        }
    } else {
        switch (threads) {
            case 512:
      gv);
    printf("%s\n", ok ? "PASSED" : "FAILED");
    return o2k ? EXIT_SUCCESS : EXIT_FAILURE;
}
