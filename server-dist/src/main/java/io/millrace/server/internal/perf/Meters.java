package io.millrace.server.internal.perf;

/** One side of a run: what is measured, and apart from it the warm-up, whose last messages come when the measuring has begun. */
record Meters(Meter warmup, Meter measured) {
    Meters() {
        this(new Meter(), new Meter());
    }

    Meter of(boolean isMeasured) {
        return isMeasured ? measured : warmup;
    }
}
