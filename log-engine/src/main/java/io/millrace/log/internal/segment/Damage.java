package io.millrace.log.internal.segment;

import io.millrace.log.LogDamagedException;
import java.nio.file.Path;

/** Says what is damaged, where, and what can be done. */
public final class Damage {
    private static final String ADVICE =
            ". What was stored there is not what was written: nothing of this copy is served or removed."
                    + " Look at it with `millrace log verify`. Restore the directory from a replica or a backup; where there is none,"
                    + " delete the log and create it again";

    private Damage() {}

    public static LogDamagedException of(Path file, long position, String what) {
        return new LogDamagedException(file + " is damaged at position " + position + ": " + what + ADVICE);
    }

    public static LogDamagedException of(Path file, String what) {
        return new LogDamagedException(file + " is damaged: " + what + ADVICE);
    }
}
