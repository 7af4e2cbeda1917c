package io.millrace.log.internal.segment;

import io.millrace.log.LogDamagedException;
import java.nio.file.Path;

/** Says what is damaged, where, and what can be done. */
public final class Damage {
    private static final String ADVICE =
            ". What is stored there is not what was written: nothing of this copy is served or removed."
                    + " Stop the broker and run `millrace log verify` on the data directory: it says what can be mended without loss,"
                    + " and which offsets cannot. Those a replica or a backup may still have";

    private Damage() {}

    public static LogDamagedException of(Path file, long position, String what) {
        return new LogDamagedException(file + " is damaged at position " + position + ": " + what + ADVICE);
    }

    public static LogDamagedException of(Path file, String what) {
        return new LogDamagedException(file + " is damaged: " + what + ADVICE);
    }
}
