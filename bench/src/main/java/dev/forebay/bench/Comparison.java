package dev.forebay.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs contenders in turn, round by round, so that a change of the machine's speed meets all of
 * them. Used once, by one thread.
 */
final class Comparison {
  /** How each run is made. */
  record Settings(int rounds, int batch, double warmSeconds, double seconds) {}

  /** Told what is about to run. */
  interface Progress {
    void at(int round, Contender contender);
  }

  /** Prepares the machine before each run, such as by dropping cached pages. */
  interface Preparation {
    void run() throws IOException, InterruptedException;
  }

  private static final long TIMEOUT_SECONDS = 600;

  private final Settings settings;
  private final Workload workload;
  private final String data;

  Comparison(Settings settings, Workload workload, String data) {
    this.settings = settings;
    this.workload = workload;
    this.data = data;
  }

  /** All measurements of each contender, in the order of the rounds. */
  Map<Contender, List<Measurement>> run(
      List<Contender> contenders, Preparation preparation, Progress progress)
      throws IOException, InterruptedException {
    Map<Contender, List<Measurement>> results = new LinkedHashMap<>();
    contenders.forEach(contender -> results.put(contender, new ArrayList<>()));
    for (int round = 0; round < settings.rounds; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        // Each goes first in some round.
        Contender contender = contenders.get((i + round) % contenders.size());
        progress.at(round, contender);
        preparation.run();
        Measurement measured = MeasuredProcess.run(command(contender), TIMEOUT_SECONDS);
        results.getOrDefault(contender, new ArrayList<>()).add(measured);
      }
    }
    return results;
  }

  private List<String> command(Contender contender) {
    List<String> command = new ArrayList<>(contender.command());
    // A cold run must not read everything before it is measured.
    boolean isCold = workload == Workload.FILES_COLD;
    command.addAll(
        List.of(
            workload.id(),
            data,
            String.valueOf(contender.workers()),
            String.valueOf(settings.batch),
            String.valueOf(isCold ? 0 : settings.warmSeconds),
            String.valueOf(isCold ? Math.min(1, settings.seconds) : settings.seconds)));
    return command;
  }
}
