/*
 * Resizes, mirrors, normalises and lays out a window of a uint8 RGB image in one pass, from the decoder's
 * output into the batch's row. The pixels are those of Pillow's resize: first along the rows, then along
 * the columns, weights of 22 bits behind the point, rounded to 8 bits in between.
 *
 * Called by dev.forebay.image.NativeKernel, which computes the weights and checks all sizes; struct job is
 * its KernelJob. No state, no allocation, no I/O: safe to call from any number of threads.
 *
 * The same source (pixels_kernel.h) is compiled for several instruction sets; the processor decides which
 * one runs. All give the same bits.
 */
#include <stdint.h>
#include <string.h>

#define PRECISION_BITS 22
#define HALF (1 << (PRECISION_BITS - 1))
#define ROWS_MAX 4 /* rows that are narrowed at once, at most */
#define ABI_VERSION 2
#define PUBLIC __attribute__((visibility("default")))

enum element { ELEMENT_BYTE = 0, ELEMENT_HALF = 1, ELEMENT_FLOAT = 2 };

struct job {
  const uint8_t *source;    /* the window's first pixel */
  const int32_t *x_first;   /* for each column of the result, the first of those that make it */
  const int32_t *x_weights; /* x_taps for each column */
  const int32_t *y_first;
  const int32_t *y_weights;
  const void *table;   /* [3][256] elements: what each value of each channel becomes; null: itself */
  uint8_t *scratch;    /* (source_rows + ROWS_MAX) * line_bytes(width) + 3 * source_columns + 1 */
  uint8_t *line;       /* line_bytes(width) */
  uint8_t *out;        /* 3 * height * width elements */
  int64_t row_bytes;   /* from one row of the source to the next */
  int32_t source_rows; /* rows of the window */
  int32_t source_columns;
  int32_t height; /* of the result */
  int32_t width;
  int32_t x_taps; /* 0: the window's columns are the result's */
  int32_t y_taps; /* 0: the window's rows are the result's */
  int32_t is_mirrored;
  int32_t is_planar;
  int32_t element; /* enum element; with a null table, ELEMENT_BYTE and not planar */
};

/* A row of three channels, with room for whole vectors that begin inside it. */
static inline int64_t line_bytes(int64_t width) { return (3 * width + 64 + 63) / 64 * 64; }

#define PUT_ROW(name, type)                                                                         \
  static void name(const struct job *job, const uint8_t *line, int32_t y) {                         \
    int32_t width = job->width;                                                                     \
    int64_t step = job->is_planar ? 1 : 3;                                                          \
    int64_t plane = job->is_planar ? (int64_t)job->height * width : 1;                              \
    type *out = (type *)job->out + (int64_t)y * width * step;                                       \
    const type *table = job->table;                                                                 \
    if (job->is_mirrored) {                                                                         \
      out += (width - 1) * step;                                                                    \
      step = -step;                                                                                 \
    }                                                                                               \
    for (int32_t x = 0; x < width; x++, out += step, line += 3) {                                   \
      out[0] = table[line[0]];                                                                      \
      out[plane] = table[256 + line[1]];                                                            \
      out[2 * plane] = table[512 + line[2]];                                                        \
    }                                                                                               \
  }

PUT_ROW(put_bytes, uint8_t)
PUT_ROW(put_halves, uint16_t)
PUT_ROW(put_floats, uint32_t)

static void put_row(const struct job *job, const uint8_t *line, int32_t y) {
  if (job->table) {
    switch (job->element) {
    case ELEMENT_BYTE: put_bytes(job, line, y); break;
    case ELEMENT_HALF: put_halves(job, line, y); break;
    default: put_floats(job, line, y);
    }
    return;
  }
  int64_t bytes = 3 * (int64_t)job->width;
  uint8_t *out = job->out + y * bytes;
  if (!job->is_mirrored) {
    memcpy(out, line, bytes);
    return;
  }
  for (out += bytes - 3; bytes > 0; bytes -= 3, out -= 3, line += 3) {
    out[0] = line[0];
    out[1] = line[1];
    out[2] = line[2];
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("avx2")
#define NAME(x) x##_avx2
#define ROWS 2
typedef __m256i vec_avx2;
#define VEC vec_avx2
static inline VEC NAME(splat)(int32_t v) { return _mm256_set1_epi32(v); }
static inline VEC NAME(widen)(const uint8_t *p) { return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p)); }
static inline VEC NAME(pixels)(const uint8_t *const *rows, int64_t at) {
  int32_t a, b;
  memcpy(&a, rows[0] + at, 4);
  memcpy(&b, rows[1] + at, 4);
  return _mm256_cvtepu8_epi32(_mm_insert_epi32(_mm_cvtsi32_si128(a), b, 1));
}
static inline VEC NAME(add_product)(VEC sum, VEC a, VEC b) { return _mm256_add_epi32(sum, _mm256_mullo_epi32(a, b)); }
static inline __m128i NAME(to_bytes)(VEC v) {
  v = _mm256_srai_epi32(v, PRECISION_BITS);
  __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  return _mm_packus_epi16(words, words);
}
static inline void NAME(put)(uint8_t *p, VEC v) { _mm_storel_epi64((void *)p, NAME(to_bytes)(v)); }
static inline void NAME(put_pixels)(uint8_t *p, int64_t next, VEC v) {
  __m128i bytes = NAME(to_bytes)(v);
  int32_t a = _mm_cvtsi128_si32(bytes), b = _mm_extract_epi32(bytes, 1);
  memcpy(p, &a, 4);
  memcpy(p + next, &b, 4);
}
#include "pixels_kernel.h"
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl")
#define NAME(x) x##_avx512
#define ROWS 4
typedef __m512i vec_avx512;
#define VEC vec_avx512
static inline VEC NAME(splat)(int32_t v) { return _mm512_set1_epi32(v); }
static inline VEC NAME(widen)(const uint8_t *p) { return _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)p)); }
static inline VEC NAME(pixels)(const uint8_t *const *rows, int64_t at) {
  int32_t a, b, c, d;
  memcpy(&a, rows[0] + at, 4);
  memcpy(&b, rows[1] + at, 4);
  memcpy(&c, rows[2] + at, 4);
  memcpy(&d, rows[3] + at, 4);
  return _mm512_cvtepu8_epi32(_mm_set_epi32(d, c, b, a));
}
static inline VEC NAME(add_product)(VEC sum, VEC a, VEC b) { return _mm512_add_epi32(sum, _mm512_mullo_epi32(a, b)); }
static inline __m128i NAME(to_bytes)(VEC v) {
  v = _mm512_max_epi32(_mm512_srai_epi32(v, PRECISION_BITS), _mm512_setzero_si512());
  return _mm512_cvtusepi32_epi8(v);
}
static inline void NAME(put)(uint8_t *p, VEC v) { _mm_storeu_si128((void *)p, NAME(to_bytes)(v)); }
static inline void NAME(put_pixels)(uint8_t *p, int64_t next, VEC v) {
  __m128i bytes = NAME(to_bytes)(v);
  int32_t a = _mm_cvtsi128_si32(bytes), b = _mm_extract_epi32(bytes, 1);
  int32_t c = _mm_extract_epi32(bytes, 2), d = _mm_extract_epi32(bytes, 3);
  memcpy(p, &a, 4);
  memcpy(p + next, &b, 4);
  memcpy(p + 2 * next, &c, 4);
  memcpy(p + 3 * next, &d, 4);
}
#include "pixels_kernel.h"
#pragma GCC pop_options
#endif

/* Any processor; the compiler makes of it what it can. */
#define NAME(x) x##_plain
#define ROWS 1
typedef int32_t vec_plain __attribute__((vector_size(16)));
#define VEC vec_plain
static inline VEC NAME(splat)(int32_t v) { return (VEC){v, v, v, v}; }
static inline VEC NAME(widen)(const uint8_t *p) { return (VEC){p[0], p[1], p[2], p[3]}; }
static inline VEC NAME(pixels)(const uint8_t *const *rows, int64_t at) { return NAME(widen)(rows[0] + at); }
static inline VEC NAME(add_product)(VEC sum, VEC a, VEC b) { return sum + a * b; }
static inline uint8_t clipped(int32_t sum) {
  sum >>= PRECISION_BITS;
  return (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}
static inline void NAME(put)(uint8_t *p, VEC v) {
  for (int i = 0; i < 4; i++) p[i] = clipped(v[i]);
}
static inline void NAME(put_pixels)(uint8_t *p, int64_t next, VEC v) {
  (void)next;
  NAME(put)(p, v);
}
#include "pixels_kernel.h"

#include "restart.h"

/* Which instruction set runs: 0 plain, 1 AVX2, 2 AVX-512. */
PUBLIC int32_t forebay_pixels_best(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return 2;
  if (__builtin_cpu_supports("avx2")) return 1;
#endif
  return 0;
}

/* Grows with each change of struct job or of a function. */
PUBLIC int32_t forebay_pixels_abi(void) { return ABI_VERSION; }

/* Does the job on the given instruction set, at most that of forebay_pixels_best. */
PUBLIC void forebay_pixels(const struct job *job, int32_t set) {
#if defined(__x86_64__)
  if (set == 2) {
    run_avx512(job);
    return;
  }
  if (set == 1) {
    run_avx2(job);
    return;
  }
#endif
  (void)set;
  run_plain(job);
}
