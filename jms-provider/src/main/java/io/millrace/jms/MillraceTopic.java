package io.millrace.jms;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Topic;
import java.io.InvalidObjectException;
import java.io.Serial;

/** A topic by its name. */
public sealed class MillraceTopic extends MillraceDestination implements Topic permits MillraceTemporaryTopic {
    private static final long serialVersionUID = 1L;

    /**
     * Names a topic.
     *
     * @param name see {@link io.millrace.wire.name.DestinationName#of}
     * @throws InvalidDestinationException if no destination can have this name
     */
    public MillraceTopic(String name) throws InvalidDestinationException {
        super(name, name);
    }

    @Override
    public final String getTopicName() {
        return name();
    }

    /** The name is checked again: the bytes may come from anywhere. */
    @Serial
    private Object readResolve() throws InvalidObjectException {
        try {
            return new MillraceTopic(name());
        } catch (InvalidDestinationException e) {
            InvalidObjectException failure = new InvalidObjectException(e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /** As the command line writes it: {@code topic:NAME}. */
    @Override
    public String toString() {
        return "topic:" + name();
    }
}
