package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.MillraceQueue;
import io.millrace.jms.MillraceTopic;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What applications hand in as destinations. */
final class Destinations {

    private Destinations() {}

    /** Returns the destination as one of ours, which those of other providers are not. */
    static MillraceDestination own(@Nullable Destination destination) throws InvalidDestinationException {
        if (destination instanceof MillraceDestination own) {
            return own;
        }
        throw new InvalidDestinationException(
                destination == null
                        ? "There is no destination"
                        : destination + " of class " + destination.getClass().getName()
                                + " is a destination of another provider");
    }

    /** Returns the name of the further cursor that a destination means, or empty for the destination itself. */
    static Optional<String> cursor(MillraceDestination destination) {
        return destination instanceof MillraceQueue queue ? queue.cursorName() : Optional.empty();
    }

    /** Returns a destination that can be sent to. */
    static MillraceDestination sendable(MillraceDestination destination) throws InvalidDestinationException {
        if (cursor(destination).isPresent()) {
            throw new InvalidDestinationException(
                    destination + " is a cursor, which is only consumed; send to " + destination.destinationName());
        }
        return destination;
    }

    /** Returns a queue that can be browsed. */
    static MillraceQueue browsable(@Nullable Queue queue) throws InvalidDestinationException {
        MillraceDestination own = own(queue);
        if (!(own instanceof MillraceQueue browsed)) {
            throw new InvalidDestinationException(own + " is not a queue, and only queues can be browsed");
        }
        if (browsed.cursorName().isPresent()) {
            throw new InvalidDestinationException(
                    own + " is a cursor, which is only consumed; browse " + own.destinationName());
        }
        return browsed;
    }

    static DestinationKind kind(MillraceDestination destination) {
        if (destination instanceof MillraceQueue) {
            return DestinationKind.QUEUE;
        }
        if (destination instanceof MillraceTopic) {
            return DestinationKind.TOPIC;
        }
        throw new IllegalArgumentException("neither queue nor topic: " + destination);
    }
}
