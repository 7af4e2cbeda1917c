package io.millrace.log;

import java.nio.file.Path;
import java.util.List;

/**
 * What a check of a data directory found.
 *
 * @param directory the data directory
 * @param logs number of logs that were checked
 * @param segments number of their segments
 * @param batches number of whole, undamaged batches
 * @param bytes size of all log files
 * @param findings everything that is not as it should be, in the order of the files
 */
public record VerifyReport(Path directory, int logs, int segments, long batches, long bytes, List<Finding> findings) {
    /** What a finding means. */
    public enum Severity {
        /** Records are lost or changed: the log cannot be served from this copy. */
        DAMAGE,
        /** The next start mends it, and nothing is lost that was ever reported as stored. */
        REPAIRABLE
    }

    /**
     * Something that is not as it should be.
     *
     * @param severity what it means
     * @param file the file it is in
     * @param position where in the file, in bytes
     * @param offset the offset that is at that position, or -1 if there is none
     * @param message what is wrong
     */
    public record Finding(Severity severity, Path file, long position, long offset, String message) {
        @Override
        public String toString() {
            String place = offset < 0 ? "" : " (offset " + offset + ")";
            return severity + " " + file + " at " + position + place + ": " + message;
        }
    }

    public VerifyReport {
        findings = List.copyOf(findings);
    }

    /** Whether nothing is lost. */
    public boolean isHealthy() {
        return findings.stream().noneMatch(finding -> finding.severity() == Severity.DAMAGE);
    }
}
