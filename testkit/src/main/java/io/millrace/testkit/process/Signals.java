package io.millrace.testkit.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signals that {@link Process} cannot send, with the numbers of Linux. */
public final class Signals {
    public static final int CONTINUE = 18;
    public static final int STOP = 19;

    // Native access is what this class is for: the JDK has no kill(2) with a signal of choice.
    @SuppressWarnings("restricted")
    private static final MethodHandle KILL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private Signals() {}

    /**
     * Sends a signal to a process.
     *
     * @throws IllegalStateException if there is no such process, or it belongs to somebody else
     */
    public static void send(long pid, int signal) {
        int result;
        try {
            result = (int) KILL.invokeExact((int) pid, signal);
        } catch (Throwable impossible) {
            throw new AssertionError("kill(2) cannot be called", impossible);
        }
        if (result != 0) {
            throw new IllegalStateException("signal " + signal + " did not reach process " + pid);
        }
    }
}
