package io.millrace.jms.internal.message;

import java.io.ObjectInputFilter;
import java.util.AbstractMap;
import java.util.Dictionary;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what deserializing a message may take, by what the message can honestly hold. One instance per message.
 *
 * <ul>
 *   <li>Arrays: each element takes a byte of the message at least, and tables of hash collections are at most about twice that,
 *       so all arrays together are bounded by the message's size. An array is allocated before its elements are read, so without
 *       this 50 bytes could ask for gigabytes.
 *   <li>Depth: what the stack of a thread can take.
 *   <li>Depth of hash collections: a set of two sets of two sets and so on, all shared, takes few bytes, but hashing it takes
 *       time that doubles with each level.
 *   <li>References: as a last resort.
 * </ul>
 */
final class DeserializationLimits implements ObjectInputFilter {
    static final int MAX_DEPTH = 1_000;
    static final int MAX_HASH_DEPTH = 16;
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
        if (info.depth() > MAX_HASH_DEPTH && isHashed(info.serialClass())) {
            return "it has maps or sets more than " + MAX_HASH_DEPTH + " levels deep";
        }
        if (arrayElements > maxArrayElements) {
            return "its arrays have " + arrayElements + " elements, more than a message of its size can hold";
        }
        return null;
    }

    /** Returns why the object was rejected, if it was. */
    Optional<String> rejection() {
        return rejection;
    }

    private static boolean isHashed(@Nullable Class<?> type) {
        return type != null
                && (Set.class.isAssignableFrom(type)
                        || AbstractMap.class.isAssignableFrom(type)
                        || Dictionary.class.isAssignableFrom(type));
    }

    /** This filter, and another one for what this one does not reject. */
    ObjectInputFilter and(ObjectInputFilter other) {
        return info -> checkInput(info) == Status.REJECTED ? Status.REJECTED : other.checkInput(info);
    }
}
