package io.millrace.wire.record;

/**
 * How much a compressed batch may grow to. A batch that would grow further is refused when it reaches the bound, so a few
 * kilobytes from the network never become gigabytes of heap. While the output grows to the bound, its buffer is copied once
 * per doubling: the peak is one and a half times {@code maxBytes}.
 *
 * @param maxBytes the most bytes that the records of one batch may take uncompressed, at least 1
 */
public record DecompressionLimits(int maxBytes) {
    /** 64 MiB, the largest message that a JMS destination takes by default. */
    public static final DecompressionLimits DEFAULT = new DecompressionLimits(64 * 1024 * 1024);

    public DecompressionLimits {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes must be at least 1, is " + maxBytes);
        }
    }
}
