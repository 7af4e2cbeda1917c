package io.millrace.log;

import java.util.List;

/**
 * What a repair of a data directory did.
 *
 * @param done what was changed, in order
 * @param refused what was left as it is, and why
 * @param after a check of everything after that
 */
public record RepairReport(List<String> done, List<String> refused, VerifyReport after) {
    public RepairReport {
        done = List.copyOf(done);
        refused = List.copyOf(refused);
    }
}
