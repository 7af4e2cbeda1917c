package io.millrace.log.internal.segment;

import io.millrace.log.internal.file.DurableFiles;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Names of the files in a log's directory: an offset in 20 digits, and what it is. */
public final class SegmentNames {
    public static final String LOG = ".log";
    public static final String OFFSET_INDEX = ".index";
    public static final String TIME_INDEX = ".timeindex";
    public static final String TRANSACTION_INDEX = ".txnindex";
    public static final String PRODUCER_SNAPSHOT = ".snapshot";
    /** Further suffix of the files of a segment that is being made out of others. Worthless when found at start. */
    public static final String CLEANED = ".cleaned";

    /** Further suffix of the files of a segment that takes the place of others: it is whole, and they count no more. */
    public static final String SWAP = ".swap";

    public static final String EPOCH_CHECKPOINT = "leader-epoch-checkpoint";
    public static final String PARTITION_METADATA = "partition.metadata";
    public static final String CURSORS_DIRECTORY = "cursors";

    private static final int DIGITS = 20;

    private SegmentNames() {}

    public static Path file(Path directory, long offset, String suffix) {
        String digits = Long.toString(offset);
        return directory.resolve("0".repeat(DIGITS - digits.length()) + digits + suffix);
    }

    /** The offset that a file is named by, or empty if its name is not 20 digits and this suffix. */
    public static OptionalLong offsetOf(Path file, String suffix) {
        String name = DurableFiles.name(file);
        if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        long offset = 0;
        for (int i = 0; i < DIGITS; i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9 || offset > (Long.MAX_VALUE - digit) / 10) {
                return OptionalLong.empty();
            }
            offset = offset * 10 + digit;
        }
        return OptionalLong.of(offset);
    }
}
