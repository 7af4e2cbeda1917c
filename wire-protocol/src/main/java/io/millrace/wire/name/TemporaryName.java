package io.millrace.wire.name;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a temporary destination (Jakarta Messaging 4.1.5, 6.2.2): {@code temporary-queue.BROKER.EPOCH.DIGEST}. Whoever is told it, as by
 * JMSReplyTo, finds the destination by it. The digest is one of a secret that only the connection has which created it, and by which it can show that the
 * name is its own when the broker has forgotten it.
 *
 * @param kind what it names
 * @param brokerId the broker that has it, 0 or more
 * @param brokerEpoch of that broker when it was created, 0 or more; larger after each start
 * @param digest 32 hexadecimal digits
 */
public record TemporaryName(DestinationKind kind, int brokerId, long brokerEpoch, String digest) {

    /** Numbers without leading zeros, so that two names are never one destination. */
    private static final Pattern PATTERN =
            Pattern.compile("temporary-(queue|topic)\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,17})\\.([0-9a-f]{32})");

    private static final int LENGTH_LIMIT = 128;
    private static final int DIGEST_BYTES = 16;

    /**
     * Makes the name that a secret gives.
     *
     * @param key random
     */
    public static TemporaryName of(DestinationKind kind, int brokerId, long brokerEpoch, UUID key) {
        return new TemporaryName(kind, brokerId, brokerEpoch, digestOf(key));
    }

    /** Returns what a name says, or empty if it is not one of a temporary destination. */
    public static Optional<TemporaryName> parse(String name) {
        if (!name.startsWith("temporary-") || name.length() > LENGTH_LIMIT) {
            return Optional.empty();
        }
        Matcher parts = PATTERN.matcher(name);
        if (!parts.matches()) {
            return Optional.empty();
        }
        return Optional.of(new TemporaryName(
                parts.group(1).equals(DestinationKind.QUEUE.word()) ? DestinationKind.QUEUE : DestinationKind.TOPIC,
                Integer.parseInt(parts.group(2)),
                Long.parseLong(parts.group(3)),
                parts.group(4)));
    }

    /** Returns whether a secret is the one that the name was made of. */
    public boolean belongsTo(UUID key) {
        return digest.equals(digestOf(key));
    }

    private static String digestOf(UUID key) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(key.getMostSignificantBits())
                .putLong(key.getLeastSignificantBits());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.array());
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java always has SHA-256", e);
        }
    }

    /** The name as it is written. */
    @Override
    public String toString() {
        return "temporary-" + kind.word() + "." + brokerId + "." + brokerEpoch + "." + digest;
    }
}
