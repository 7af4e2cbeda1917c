package io.millrace.systemtests.planted.log;

import java.time.Instant;
import java.util.Date;
import java.util.function.LongSupplier;

/** The methods of {@link Date} are old and wanted here. */
@SuppressWarnings("JavaUtilDate")
final class ReadsClocks {

    private ReadsClocks() {}

    static long calls() {
        return System.nanoTime();
    }

    static LongSupplier refers() {
        return System::currentTimeMillis;
    }

    static Instant asksCalendar() {
        return Instant.now();
    }

    static Date asksOldCalendar() {
        return new Date();
    }

    static Date convertsOnly(long ms) {
        return new Date(ms);
    }
}
