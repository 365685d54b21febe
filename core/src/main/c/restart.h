/*
 * Cuts a rectangle of MCUs out of the entropy-coded data of a baseline JPEG file with restart markers. A
 * segment between two markers can be decoded alone, so segments of other places can be left out, if the
 * markers are numbered anew. Included by pixels.c; called by dev.forebay.image.RestartCut.
 */

/* Where the segment that begins at `at` ends: at its marker, or at `bytes`. */
static int64_t segment_end(const uint8_t *scan, int64_t bytes, int64_t at) {
  while (at + 1 < bytes) {
    const uint8_t *found = memchr(scan + at, 0xFF, (size_t)(bytes - 1 - at));
    if (!found) return bytes;
    at = found - scan;
    if (scan[at + 1] != 0) return at; /* 0xFF 0x00 is data */
    at += 2;
  }
  return bytes;
}

/* scan: entropy-coded data, from behind the scan's header on; bytes: up to the file's end; per_row: segments
 * in a row of the picture; top, bottom, left, right: the rectangle, in rows and in segments of a row; out: room
 * for `capacity` bytes. Returns how many were written, the end-of-image marker included; or -1 if the markers
 * are not those of a sound file, or if there is no room. */
PUBLIC int64_t forebay_cut_restarts(const uint8_t *scan, int64_t bytes, int32_t per_row, int32_t top, int32_t bottom,
                                    int32_t left, int32_t right, uint8_t *out, int64_t capacity) {
  int64_t at = 0, done = 0, segment = 0, written = 0;
  for (int32_t row = 0; row < bottom; row++) {
    for (int32_t column = 0; column < per_row; column++, segment++) {
      int64_t end = segment_end(scan, bytes, at);
      if (end + 1 >= bytes) return -1;
      if (row >= top && column >= left && column < right) {
        if (done + (end - at) + 2 > capacity) return -1;
        memcpy(out + done, scan + at, (size_t)(end - at));
        done += end - at;
        out[done++] = 0xFF;
        out[done++] = (uint8_t)(0xD0 + (written++ & 7));
      }
      if (row + 1 == bottom && column + 1 >= right) {
        out[done - 1] = 0xD9;
        return done;
      }
      if (scan[end + 1] != 0xD0 + (segment & 7)) return -1;
      at = end + 2;
    }
  }
  return -1;
}
