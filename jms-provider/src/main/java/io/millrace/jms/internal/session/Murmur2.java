package io.millrace.jms.internal.session;

/** The hash that Kafka's clients choose partitions with, so that a JMSXGroupID and the equal key of a Kafka client meet in one. */
final class Murmur2 {

    private static final int SEED = 0x9747b28c;
    private static final int MULTIPLIER = 0x5bd1e995;
    private static final int SHIFT = 24;

    private Murmur2() {}

    /** Returns the partition of a key. */
    static int partition(byte[] key, int partitions) {
        return (hash(key) & Integer.MAX_VALUE) % partitions;
    }

    static int hash(byte[] data) {
        int hash = SEED ^ data.length;
        int whole = data.length & ~3;
        for (int i = 0; i < whole; i += 4) {
            int word = (data[i] & 0xFF)
                    | (data[i + 1] & 0xFF) << 8
                    | (data[i + 2] & 0xFF) << 16
                    | (data[i + 3] & 0xFF) << 24;
            word *= MULTIPLIER;
            word ^= word >>> SHIFT;
            word *= MULTIPLIER;
            hash = hash * MULTIPLIER ^ word;
        }
        int rest = data.length & 3;
        if (rest > 0) {
            for (int i = rest - 1; i >= 0; i--) {
                hash ^= (data[whole + i] & 0xFF) << (8 * i);
            }
            hash *= MULTIPLIER;
        }
        hash ^= hash >>> 13;
        hash *= MULTIPLIER;
        return hash ^ hash >>> 15;
    }
}
