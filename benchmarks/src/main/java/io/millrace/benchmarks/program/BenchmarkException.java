package io.millrace.benchmarks.program;

import io.millrace.wire.MillraceException;

/** A benchmark cannot go on, or what it measured is not true. Nothing that it printed for that workload should be used. */
public final class BenchmarkException extends MillraceException {

    /** Creates a failure. */
    public BenchmarkException(String message) {
        super(Category.FATAL, message);
    }

    /** Creates a failure that another one led to. */
    public BenchmarkException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
