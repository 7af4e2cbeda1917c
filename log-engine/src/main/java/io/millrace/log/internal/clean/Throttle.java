package io.millrace.log.internal.clean;

/** Bounds how many bytes a second are read and written, so that cleaning is not in the way of those who wait. */
public interface Throttle {
    /** No bound. */
    Throttle NONE = bytes -> {};

    /** Waits until so many more bytes may be read or written. */
    void await(int bytes);
}
