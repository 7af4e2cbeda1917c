package io.millrace.wire.time;

/**
 * The clocks of this machine.
 *
 * <p>The only class of Millrace that reads them, which the architecture rules check: programs hand {@link #instance()} to the objects
 * that they assemble, and from there on it is a {@link TimeSource}. Usable from any thread.
 */
public final class SystemTimeSource implements TimeSource {

    private static final SystemTimeSource INSTANCE = new SystemTimeSource();

    private SystemTimeSource() {}

    /** Returns the one instance; it has no state. */
    public static SystemTimeSource instance() {
        return INSTANCE;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallClockMs() {
        return System.currentTimeMillis();
    }
}
