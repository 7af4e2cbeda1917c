package io.millrace.log;

import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * One data directory, for people and metrics.
 *
 * @param path where it is
 * @param incarnation identity given when it was formatted: another one means that the directory was replaced
 * @param startKind how it was found
 * @param logs number of logs in it
 * @param usableBytes space left on its disk, or -1 if the disk does not say
 * @param reserveBytes how much of the reserve is there
 * @param reserveFull whether the reserve is whole; senders are refused while it is not
 * @param failure why it is read-only, if it is
 */
public record DirectoryInfo(
        Path path,
        UUID incarnation,
        StartKind startKind,
        int logs,
        long usableBytes,
        long reserveBytes,
        boolean reserveFull,
        Optional<DirectoryReadOnlyException> failure) {}
