package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.ConsumerKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One consumer of one cursor: who it is, where its deliveries go, and how much more it wants. On the shard. */
final class ConsumerState {

    private final ConsumerKey key;
    private Optional<DeliverySink> sink;
    private int messages;
    private int bytes;
    private boolean waitsForSink;
    private boolean sated;
    private final @Nullable SelectiveScan scan;

    /**
     * Creates a consumer.
     *
     * @param scan looks for what it selects; absent if it takes everything
     */
    ConsumerState(ConsumerKey key, DeliverySink sink, @Nullable SelectiveScan scan) {
        this.key = key;
        this.sink = Optional.of(sink);
        this.scan = scan;
    }

    @Nullable
    SelectiveScan scan() {
        return scan;
    }

    /** Returns whether there is nothing for it in this dispatch. */
    boolean isSated() {
        return sated;
    }

    void setSated(boolean nothingLeft) {
        sated = nothingLeft;
    }

    ConsumerKey key() {
        return key;
    }

    Optional<DeliverySink> sink() {
        return sink;
    }

    /** The client is on another connection now, and says anew how much it wants. */
    void attach(DeliverySink newSink) {
        sink = Optional.of(newSink);
        messages = 0;
        bytes = 0;
        waitsForSink = false;
    }

    /** The connection is lost: nothing is delivered until the client comes back. */
    void detach() {
        sink = Optional.empty();
    }

    /**
     * The client takes so much more. None of it may get lost, since credit never comes back by itself: it saturates.
     *
     * @param moreMessages negative to take back what is not used
     * @param moreBytes 0 or more
     */
    void addCredit(int moreMessages, int moreBytes) {
        messages = Math.clamp((long) messages + moreMessages, 0, Integer.MAX_VALUE);
        bytes = (int) Math.min((long) bytes + moreBytes, Integer.MAX_VALUE);
    }

    boolean hasCredit() {
        return messages > 0 && bytes > 0 && sink.isPresent();
    }

    int messages() {
        return messages;
    }

    int bytes() {
        return bytes;
    }

    /** A delivery uses credit; that for bytes may go below zero by one delivery. */
    void use(int usedMessages, int usedBytes) {
        messages -= usedMessages;
        bytes -= usedBytes;
    }

    /** Returns whether the connection takes a delivery now; if not, {@code whenReady} runs later, once. */
    boolean isReady(Runnable whenReady) {
        if (sink.isEmpty()) {
            return false;
        }
        if (sink.get().isReady()) {
            return true;
        }
        if (!waitsForSink) {
            waitsForSink = true;
            sink.get().whenReady(whenReady);
        }
        return false;
    }

    void sinkReady() {
        waitsForSink = false;
    }
}
