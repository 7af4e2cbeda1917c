package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/**
 * The first eight bytes in each direction, before any frame: they tell our protocol from Kafka's and agree on a version.
 *
 * <p>The client sends the magic number, the oldest and the newest version that it speaks; the server answers with the magic number, the
 * version that it chose (0: none, it then closes) and the newest that it speaks.
 */
public final class Prologue {

    /** Size of either prologue. */
    public static final int BYTES = 8;

    /** Negative as an int, so never the length of a Kafka request; none of TLS or HTTP begins with 0xA5 either. */
    public static final int MAGIC = 0xA54D4C52;

    /** Oldest version that this code speaks. */
    public static final int OLDEST_VERSION = 1;

    /** Newest version that this code speaks. */
    public static final int NEWEST_VERSION = 1;

    private static final int MAX_VERSION = 0xFFFF;

    private Prologue() {}

    /**
     * What the client sends.
     *
     * @param oldestVersion 1 to 65535
     * @param newestVersion at least the oldest
     */
    public record Client(int oldestVersion, int newestVersion) {

        /** Checks the ranges. */
        public Client {
            FieldChecks.atLeast(1, oldestVersion, "oldestVersion");
            FieldChecks.atLeast(oldestVersion, newestVersion, "newestVersion");
            FieldChecks.require(newestVersion <= MAX_VERSION, "newestVersion", "must be at most " + MAX_VERSION);
        }

        /** Returns what this code sends. */
        public static Client current() {
            return new Client(OLDEST_VERSION, NEWEST_VERSION);
        }

        /** Returns whether a server that accepts can only choose one version, so that frames may follow before it has answered. */
        public boolean isOneVersion() {
            return oldestVersion == newestVersion;
        }

        /**
         * Reads {@link Prologue#BYTES} bytes.
         *
         * @throws MalformedFrameException if they are no prologue
         */
        public static Client decode(ByteBuffer source) {
            checkMagic(source);
            try {
                return new Client(Short.toUnsignedInt(source.getShort()), Short.toUnsignedInt(source.getShort()));
            } catch (InvalidFieldException invalid) {
                throw new MalformedFrameException("Prologue of the client,", invalid.getMessage());
            }
        }

        /** Writes {@link Prologue#BYTES} bytes. */
        public void encode(ByteBuffer target) {
            target.putInt(MAGIC);
            target.putShort((short) oldestVersion);
            target.putShort((short) newestVersion);
        }
    }

    /**
     * What the server answers.
     *
     * @param chosenVersion the version of the frames that follow, 0 if there is no common one
     * @param newestVersion the newest that the server speaks
     */
    public record Server(int chosenVersion, int newestVersion) {

        /** Checks the ranges. */
        public Server {
            FieldChecks.atLeast(0, chosenVersion, "chosenVersion");
            FieldChecks.atLeast(Math.max(1, chosenVersion), newestVersion, "newestVersion");
            FieldChecks.require(newestVersion <= MAX_VERSION, "newestVersion", "must be at most " + MAX_VERSION);
        }

        /**
         * Chooses the newest version that both sides speak.
         *
         * @param client what the client sent
         */
        public static Server answerTo(Client client) {
            int newestCommon = Math.min(client.newestVersion(), NEWEST_VERSION);
            boolean common = newestCommon >= Math.max(client.oldestVersion(), OLDEST_VERSION);
            return new Server(common ? newestCommon : 0, NEWEST_VERSION);
        }

        /** Returns whether there is a common version. */
        public boolean accepted() {
            return chosenVersion != 0;
        }

        /**
         * Reads {@link Prologue#BYTES} bytes.
         *
         * @throws MalformedFrameException if they are no prologue
         */
        public static Server decode(ByteBuffer source) {
            checkMagic(source);
            try {
                return new Server(Short.toUnsignedInt(source.getShort()), Short.toUnsignedInt(source.getShort()));
            } catch (InvalidFieldException invalid) {
                throw new MalformedFrameException("Prologue of the server,", invalid.getMessage());
            }
        }

        /** Writes {@link Prologue#BYTES} bytes. */
        public void encode(ByteBuffer target) {
            target.putInt(MAGIC);
            target.putShort((short) chosenVersion);
            target.putShort((short) newestVersion);
        }
    }

    private static void checkMagic(ByteBuffer source) {
        if (source.remaining() < BYTES) {
            throw new MalformedFrameException(
                    "Prologue", "needs " + BYTES + " bytes, but only " + source.remaining() + " came");
        }
        int magic = source.getInt();
        if (magic != MAGIC) {
            throw new MalformedFrameException(
                    "Prologue",
                    String.format(
                            "begins with 0x%08X instead of 0x%08X: the peer does not speak this protocol",
                            magic, MAGIC));
        }
    }
}
