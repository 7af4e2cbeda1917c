package io.millrace.jms;

import io.millrace.wire.message.ReplyTo;
import io.millrace.wire.name.DestinationName;
import io.millrace.wire.name.InvalidDestinationNameException;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * A queue or topic by its name. It says nothing of whether the destination exists. Two of one kind and name are equal; they can be
 * serialized, and bound in JNDI, and need no connection.
 */
public abstract sealed class MillraceDestination implements Destination, Serializable, Referenceable
        permits MillraceQueue, MillraceTopic {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final transient DestinationName destinationName;

    /**
     * Names a destination.
     *
     * @param logPart the part of the name that is the destination's own
     */
    MillraceDestination(String name, String logPart) throws InvalidDestinationException {
        this.name = name;
        try {
            this.destinationName = DestinationName.of(logPart);
        } catch (InvalidDestinationNameException e) {
            InvalidDestinationException failure = new InvalidDestinationException(e.getMessage(), null, e);
            failure.initCause(e);
            throw failure;
        }
    }

    /** Returns the name as applications write it. */
    public final String name() {
        return name;
    }

    /** Returns the name in both forms, that of applications and that of the log. */
    public final DestinationName destinationName() {
        return destinationName;
    }

    /**
     * Returns the destination that a message's answer is expected at.
     *
     * @throws InvalidDestinationException if it has a name that no destination can have
     */
    public static MillraceDestination of(ReplyTo replyTo) throws InvalidDestinationException {
        return switch (replyTo.kind()) {
            case QUEUE -> new MillraceQueue(replyTo.name());
            case TOPIC -> new MillraceTopic(replyTo.name());
            case TEMPORARY_QUEUE -> new MillraceTemporaryQueue(replyTo.name());
            case TEMPORARY_TOPIC -> new MillraceTemporaryTopic(replyTo.name());
        };
    }

    /**
     * Returns how a message names this destination, which may be one of another provider, as the place for an answer.
     *
     * @throws InvalidDestinationException if it is neither queue nor topic, or has a name that no destination can have
     * @throws JMSException if a destination of another provider fails to say its name
     */
    public static ReplyTo asReplyTo(Destination destination) throws JMSException {
        if (destination instanceof Queue queue) {
            MillraceQueue valid = new MillraceQueue(nameOf(queue.getQueueName(), destination));
            boolean temporary = destination instanceof TemporaryQueue;
            return new ReplyTo(temporary ? ReplyTo.Kind.TEMPORARY_QUEUE : ReplyTo.Kind.QUEUE, valid.name());
        }
        if (destination instanceof Topic topic) {
            MillraceTopic valid = new MillraceTopic(nameOf(topic.getTopicName(), destination));
            boolean temporary = destination instanceof TemporaryTopic;
            return new ReplyTo(temporary ? ReplyTo.Kind.TEMPORARY_TOPIC : ReplyTo.Kind.TOPIC, valid.name());
        }
        throw new InvalidDestinationException("an answer cannot be expected at " + destination + " of class "
                + destination.getClass().getName() + ", which is neither a queue nor a topic");
    }

    private static String nameOf(@Nullable String name, Destination destination) throws InvalidDestinationException {
        if (name == null) {
            throw new InvalidDestinationException(
                    "a destination of class " + destination.getClass().getName() + " has no name");
        }
        return name;
    }

    @Override
    public final Reference getReference() {
        return new Reference(
                getClass().getName(),
                new StringRefAddr(MillraceObjectFactory.NAME_ADDRESS, name),
                MillraceObjectFactory.class.getName(),
                null);
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof MillraceDestination that
                && that instanceof Queue == this instanceof Queue
                && that.name.equals(name);
    }

    @Override
    public final int hashCode() {
        return 31 * name.hashCode() + Boolean.hashCode(this instanceof Queue);
    }
}
