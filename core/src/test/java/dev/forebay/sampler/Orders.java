package dev.forebay.sampler;

/** Orders written out, for tests. */
final class Orders {
  private Orders() {}

  static long[] ids(EpochOrder order) {
    long[] ids = new long[Math.toIntExact(order.size())];
    for (int position = 0; position < ids.length; position++) {
      ids[position] = order.at(position);
    }
    return ids;
  }
}
