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
        /** Records are lost: the log cannot be served from this copy before that is accepted. */
        DAMAGE,
        /** Nothing is lost, but it has to be mended before it can be used: a repair does that, a start does not. */
        NEEDS_REPAIR,
        /** Nothing is lost that was ever reported as stored, and a start copes with it. */
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
     * @param remedy what to do about it
     */
    public record Finding(Severity severity, Path file, long position, long offset, String message, String remedy) {
        @Override
        public String toString() {
            String place = offset < 0 ? "" : " (offset " + offset + ")";
            return severity + " " + file + " at " + position + place + ": " + message + ". " + capitalized();
        }

        private String capitalized() {
            return remedy.isEmpty() ? "" : Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1);
        }
    }

    public VerifyReport {
        findings = List.copyOf(findings);
    }

    /** Whether a broker can start on it and serve everything. */
    public boolean isHealthy() {
        return findings.stream().allMatch(finding -> finding.severity() == Severity.REPAIRABLE);
    }
}
