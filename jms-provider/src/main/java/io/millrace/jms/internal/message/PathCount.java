package io.millrace.jms.internal.message;

import java.io.InvalidObjectException;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the paths through the collections of an object while it is deserialized, one collection after the other, inner ones
 * first. That is what one call of {@code hashCode} takes, and putting a collection into a set makes that call.
 *
 * <p>Without sharing there are as many paths as elements, each of which takes a byte of the message at least. A list that holds
 * twice a list that holds twice a list and so on takes few bytes, but doubles the paths with each level. So the paths are bounded
 * by the size of the message, with room for honest sharing. Only collections of the JDK are looked into: what other classes do
 * when they are hashed cannot be known, and somebody has said that he trusts them.
 */
final class PathCount {
    private static final long SPARE_PATHS = 10_000;

    private final IdentityHashMap<Object, Long> paths = new IdentityHashMap<>();
    private final long maxPaths;

    PathCount(int messageBytes) {
        maxPaths = 4L * messageBytes + SPARE_PATHS;
    }

    /**
     * Adds an object whose content is complete.
     *
     * @throws InvalidObjectException if it has more paths than the message can honestly hold
     */
    void add(@Nullable Object object) throws InvalidObjectException {
        if (object == null || !object.getClass().getName().startsWith("java.util.")) {
            return;
        }
        if (object instanceof Collection<?> collection) {
            paths.put(object, count(collection));
        } else if (object instanceof Map<?, ?> map) {
            paths.put(object, count(map.keySet()) + count(map.values()));
        }
    }

    /** Stops at the limit, so that counting is bounded too. */
    private long count(Collection<?> elements) throws InvalidObjectException {
        long count = 1;
        for (Object element : elements) {
            count += of(element);
            if (count > maxPaths) {
                throw new InvalidObjectException("its collections hold each other in more than " + maxPaths + " ways");
            }
        }
        return count;
    }

    private long of(@Nullable Object element) {
        Long known = element == null ? null : paths.get(element);
        return known == null ? 1 : known;
    }
}
