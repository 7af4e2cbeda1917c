package io.millrace.wire.record;

/** How the records of a batch are compressed. The ids are Kafka's: bits 0 to 2 of the batch's attributes. */
public enum Compression {
    NONE(0),
    /** One or more gzip members (RFC 1952). */
    GZIP(1),
    /** The framing of {@code snappy-java}'s streams; a bare Snappy block is read too. */
    SNAPPY(2),
    /** One LZ4 frame (version 1) of independent blocks. */
    LZ4(3),
    /** Zstandard frames (RFC 8878). */
    ZSTD(4);

    private static final Compression[] BY_ID = values();

    static {
        for (Compression compression : BY_ID) {
            if (BY_ID[compression.id] != compression) {
                throw new ExceptionInInitializerError("compression ids must be the ordinals");
            }
        }
    }

    private final int id;

    Compression(int id) {
        this.id = id;
    }

    /** The number in the attributes of a batch. */
    public int id() {
        return id;
    }

    /** Whether {@link #forId} knows this number. */
    public static boolean isKnown(int id) {
        return id >= 0 && id < BY_ID.length;
    }

    /**
     * The codec of this number.
     *
     * @throws UnsupportedCompressionException if no codec has this number
     */
    public static Compression forId(int id) {
        if (!isKnown(id)) {
            throw new UnsupportedCompressionException("compression codec " + id
                    + " is unknown: known are 0 (none), 1 (gzip), 2 (snappy), 3 (lz4), 4 (zstd)");
        }
        return BY_ID[id];
    }
}
