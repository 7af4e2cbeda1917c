package io.millrace.wire.record;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Heap bytes that the calling thread has allocated since it started, freed or not. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    static long ofThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
