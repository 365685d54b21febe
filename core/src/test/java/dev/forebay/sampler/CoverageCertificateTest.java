package dev.forebay.sampler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.sampler.World.Tail;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CoverageCertificateTest {
  private final SplittableRandom random = new SplittableRandom(3);

  private static CoverageCertificate of(long... ids) {
    Coverage coverage = new Coverage();
    for (long id : ids) {
      coverage.add(id);
    }
    return coverage.certificate();
  }

  @Test
  void covers_anyOrderOverAnyRanks_isTrue() {
    for (int round = 0; round < 200; round++) {
      int size = random.nextInt(100);
      int worldSize = 1 + random.nextInt(9);
      EpochOrder global = FeistelPermutation.of(size, round, 1);
      CoverageCertificate sum = CoverageCertificate.EMPTY;
      for (int rank = 0; rank < worldSize; rank++) {
        Partition part = new World(rank, worldSize).split(global, Tail.PAD);
        sum = sum.plus(CoverageCertificate.expected(part));
      }
      assertTrue(sum.coversExactly(CoverageCertificate.expected(size)));
      assertEquals(Math.floorMod(-size, worldSize), sum.padding().count());
    }
  }

  @Test
  void covers_lostDoubledOrExchanged_isFalse() {
    int size = 60;
    CoverageCertificate expected = CoverageCertificate.expected(size);
    for (int lost = 0; lost < size; lost++) {
      for (int doubled = -1; doubled < size + 2; doubled++) {
        Coverage coverage = new Coverage();
        for (int id = 0; id < size; id++) {
          if (id != lost) {
            coverage.add(id);
          }
        }
        if (doubled >= 0) {
          coverage.add(doubled);
        }
        assertEquals(
            lost == doubled,
            coverage.certificate().covers(expected),
            "lost=" + lost + " doubled=" + doubled);
      }
    }
  }

  @Test
  void covers_manyRandomExchanges_isFalse() {
    CoverageCertificate expected = CoverageCertificate.expected(1000);
    for (int round = 0; round < 2_000; round++) {
      Coverage coverage = new Coverage();
      int wrong = 1 + random.nextInt(20);
      int first = random.nextInt(980);
      for (int id = 0; id < 1000; id++) {
        boolean exchange = id >= first && id < first + wrong;
        coverage.add(exchange ? (id + 20 + random.nextInt(900)) % 1000 : id);
      }
      assertFalse(coverage.certificate().covers(expected), "round=" + round);
    }
  }

  @Test
  void covers_sumsThatCancelInPlainArithmetic_isFalse() {
    // Both have the same sums of ids, of squares and of cubes (Prouhet, Tarry, Escott).
    CoverageCertificate one = of(0, 3, 5, 6, 9, 10, 12, 15);
    CoverageCertificate other = of(1, 2, 4, 7, 8, 11, 13, 14);
    assertFalse(one.covers(other));
    assertNotEquals(one.delivered().high(), other.delivered().high());
    assertNotEquals(one.delivered().low(), other.delivered().low());
  }

  @Test
  void covers_skippedAndSubstituted_isTrueButNotExactly() {
    Coverage coverage = new Coverage();
    coverage.add(0);
    coverage.addSkipped(1);
    coverage.addSubstituted(2, 0);
    coverage.add(3);
    coverage.addPadding(3);
    CoverageCertificate certificate = coverage.certificate();
    CoverageCertificate expected = CoverageCertificate.expected(4);
    assertTrue(certificate.covers(expected));
    assertFalse(certificate.coversExactly(expected));
    assertEquals(of(0).delivered(), certificate.standIns());
    assertEquals(4, certificate.accounted().count());
  }

  @Test
  void expected_batchesWithDropLast_leavesTheTailOut() {
    EpochBatches batches = BatchSampler.of(Sampler.sequential(), 4, true).batches(10, 0);
    assertEquals(CoverageCertificate.expected(8), CoverageCertificate.expected(batches, 4));
  }

  @Test
  void add_certificate_continuesARun() {
    Coverage coverage = new Coverage();
    coverage.add(1);
    coverage.addSubstituted(2, 3);
    coverage.addSkipped(4);
    coverage.addPadding(5);
    CoverageCertificate before = coverage.certificate();
    Coverage resumed = new Coverage();
    resumed.add(before);
    assertEquals(before, resumed.certificate());
    resumed.add(6);
    assertEquals(before.plus(of(6)), resumed.certificate());
    resumed.clear();
    assertEquals(CoverageCertificate.EMPTY, resumed.certificate());
  }

  @Test
  void parse_anyCertificate_isItsInverse() {
    assertEquals("none", CoverageCertificate.EMPTY.toString());
    assertEquals(CoverageCertificate.EMPTY, CoverageCertificate.parse("none"));
    for (int round = 0; round < 300; round++) {
      IdDigest[] parts = new IdDigest[5];
      for (int part = 0; part < 5; part++) {
        parts[part] =
            random.nextInt(3) == 0
                ? IdDigest.EMPTY
                : new IdDigest(
                    random.nextLong(Long.MAX_VALUE), random.nextLong(), random.nextLong());
      }
      CoverageCertificate certificate =
          new CoverageCertificate(parts[0], parts[1], parts[2], parts[3], parts[4]);
      assertEquals(certificate, CoverageCertificate.parse(certificate.toString()));
      assertFalse(certificate.toString().contains(" "));
    }
  }

  @Test
  void parse_anythingElse_fails() {
    String digest = "1:000000000000000000000000000000ff";
    String[] texts = {
      "",
      "delivered",
      "delivered=",
      "delivered=1:ff",
      "gone=" + digest,
      "delivered=" + digest + ",",
      "delivered=" + digest + ",delivered=" + digest,
      "delivered=-" + digest,
      "delivered=9999999999999999999:000000000000000000000000000000ff"
    };
    for (String text : texts) {
      assertThrows(
          IllegalArgumentException.class, () -> CoverageCertificate.parse(text), () -> text);
    }
    assertEquals(1, CoverageCertificate.parse("skipped=" + digest).skipped().count());
  }

  @Test
  void sentence_saysWhatHappened() {
    CoverageCertificate expected = CoverageCertificate.expected(3);
    assertEquals(
        "rank 0 saw 3 of 3 samples, each exactly once", expected.sentence("rank 0", expected));
    assertEquals("it saw 2 of 3 samples; 1 missing", of(0, 1).sentence("it", expected));
    assertEquals("it saw 4 of 3 samples; 1 too many", of(0, 1, 2, 2).sentence("it", expected));
    assertEquals(
        "it saw 3 of 3 samples; the count is right, but some are missing and others came twice",
        of(0, 1, 1).sentence("it", expected));
    Coverage coverage = new Coverage();
    coverage.add(0);
    coverage.addSkipped(1);
    coverage.addSubstituted(2, 0);
    coverage.addPadding(0);
    assertEquals(
        "it saw 1 of 3 samples, 1 skipped, 1 substituted, 1 repeated as padding;"
            + " every sample is accounted for",
        coverage.certificate().sentence("it", expected));
  }
}
