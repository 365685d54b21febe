/*
 * The kernel for one instruction set. The including file defines NAME, ROWS (rows narrowed at once), VEC
 * (ROWS * 4 ints) and the operations splat, widen, pixels, add_product, put, put_pixels.
 */

/* Narrows ROWS rows. Each pixel is read as four bytes, of which the last belongs to its neighbour, and is
 * written as four, of which the next pixel overwrites the last. */
static void NAME(narrow_rows)(const struct job *job, const uint8_t *const *rows, uint8_t *into) {
  int64_t next = line_bytes(job->width);
  int32_t taps = job->x_taps;
  const int32_t *weights = job->x_weights;
  for (int32_t x = 0; x < job->width; x++, weights += taps) {
    int64_t at = 3 * (int64_t)job->x_first[x];
    VEC sum = NAME(splat)(HALF);
    for (int32_t tap = 0; tap < taps; tap++, at += 3)
      sum = NAME(add_product)(sum, NAME(pixels)(rows, at), NAME(splat)(weights[tap]));
    NAME(put_pixels)(into + 3 * (int64_t)x, next, sum);
  }
}

/* Brings rows of the window, from `done` on, to the result's width; returns how many are done then. */
static int32_t NAME(narrow)(const struct job *job, int32_t done) {
  int64_t next = line_bytes(job->width);
  uint8_t *into = job->scratch + done * next;
  int32_t last = job->source_rows - 1;
  if (job->x_taps == 0) {
    memcpy(into, job->source + done * job->row_bytes, 3 * (size_t)job->width);
    return done + 1;
  }
  const uint8_t *rows[ROWS];
  for (int32_t i = 0; i < ROWS; i++) {
    int32_t row = done + i < last ? done + i : last;
    rows[i] = job->source + row * job->row_bytes;
    if (row == last) {
      /* Nothing may be read behind the last row, so it is taken from a copy with room behind it. */
      uint8_t *copy = job->scratch + (job->source_rows + ROWS_MAX) * next;
      memcpy(copy, rows[i], 3 * (size_t)job->source_columns);
      rows[i] = copy;
    }
  }
  NAME(narrow_rows)(job, rows, into);
  return done + ROWS;
}

/* One row of the result out of y_taps rows. */
static void NAME(shorten)(const struct job *job, int32_t y, uint8_t *line) {
  int64_t next = line_bytes(job->width);
  const uint8_t *rows = job->scratch + job->y_first[y] * next;
  const int32_t *weights = job->y_weights + (int64_t)y * job->y_taps;
  for (int64_t x = 0; x < 3 * (int64_t)job->width; x += 8 * ROWS) {
    VEC low = NAME(splat)(HALF), high = low;
    const uint8_t *at = rows + x;
    for (int32_t tap = 0; tap < job->y_taps; tap++, at += next) {
      VEC weight = NAME(splat)(weights[tap]);
      low = NAME(add_product)(low, NAME(widen)(at), weight);
      high = NAME(add_product)(high, NAME(widen)(at + 4 * ROWS), weight);
    }
    NAME(put)(line + x, low);
    NAME(put)(line + x + 4 * ROWS, high);
  }
}

static void NAME(run)(const struct job *job) {
  int64_t next = line_bytes(job->width);
  uint8_t *line = job->line;
  int32_t done = 0;
  for (int32_t y = 0; y < job->height; y++) {
    int32_t needed = job->y_taps == 0 ? y + 1 : job->y_first[y] + job->y_taps;
    while (done < needed) done = NAME(narrow)(job, done);
    if (job->y_taps == 0) {
      put_row(job, job->scratch + y * next, y);
    } else {
      NAME(shorten)(job, y, line);
      put_row(job, line, y);
    }
  }
}

#undef NAME
#undef ROWS
#undef VEC
