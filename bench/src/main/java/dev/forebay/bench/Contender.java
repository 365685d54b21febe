package dev.forebay.bench;

import java.util.List;

/**
 * One of those that are compared.
 *
 * @param name as the report shows it
 * @param isOurs whether it is Forebay, to which the others are compared
 * @param command runs it, without its parameters
 * @param workers processes or threads
 */
record Contender(String name, boolean isOurs, List<String> command, int workers) {
  Contender {
    command = List.copyOf(command);
  }
}
