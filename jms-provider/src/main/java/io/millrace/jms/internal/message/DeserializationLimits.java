package io.millrace.jms.internal.message;

import java.io.ObjectInputFilter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what deserializing a message may take, by what the message can honestly hold. One instance per message.
 *
 * <ul>
 *   <li>Arrays: each element takes a byte of the message at least, and tables of hash collections are at most about twice that,
 *       so all arrays together are bounded by the message's size. An array is allocated before its elements are read, so without
 *       this 50 bytes could ask for gigabytes.
 *   <li>Depth: what the stack of a thread can take: a level takes 2 KiB and more.
 *   <li>References: as a last resort.
 *   <li>{@link PathCount Paths}: what hashing takes.
 * </ul>
 */
final class DeserializationLimits implements ObjectInputFilter {
    static final int MAX_DEPTH = 200;
    static final long MAX_REFERENCES = 20_000_000;

    private static final long SPARE_ARRAY_ELEMENTS = 4_096;

    private final long maxArrayElements;
    private long arrayElements;
    private Optional<String> rejection = Optional.empty();

    DeserializationLimits(int messageBytes) {
        maxArrayElements = 4L * messageBytes + SPARE_ARRAY_ELEMENTS;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.arrayLength() > 0) {
            arrayElements += info.arrayLength();
        }
        String excess = excess(info);
        if (excess == null) {
            return Status.UNDECIDED;
        }
        rejection = Optional.of(excess);
        return Status.REJECTED;
    }

    private @Nullable String excess(FilterInfo info) {
        if (info.depth() > MAX_DEPTH) {
            return "it is nested more than " + MAX_DEPTH + " levels deep";
        }
        if (info.references() > MAX_REFERENCES) {
            return "it has more than " + MAX_REFERENCES + " objects";
        }
        if (arrayElements > maxArrayElements) {
            return "its arrays have " + arrayElements + " elements, more than a message of its size can hold";
        }
        return null;
    }

    /** Returns why the object was rejected, if it was. The JDK's exception does not say. */
    Optional<String> rejection() {
        return rejection;
    }

    /** This filter, and another one for what this one does not reject. */
    ObjectInputFilter and(ObjectInputFilter other) {
        return info -> checkInput(info) == Status.REJECTED ? Status.REJECTED : other.checkInput(info);
    }
}
