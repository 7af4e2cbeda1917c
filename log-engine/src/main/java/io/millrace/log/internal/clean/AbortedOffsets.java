package io.millrace.log.internal.clean;

import io.millrace.log.AbortedTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which records belong to transactions that were aborted. */
final class AbortedOffsets {
    private final Map<Long, List<AbortedTransaction>> byProducer = new HashMap<>();

    AbortedOffsets(Collection<AbortedTransaction> aborted) {
        for (AbortedTransaction transaction : aborted) {
            byProducer
                    .computeIfAbsent(transaction.producerId(), id -> new ArrayList<>())
                    .add(transaction);
        }
    }

    /** Whether a transactional batch of records of a producer, that begins at an offset, was aborted. */
    boolean contains(long producerId, long baseOffset) {
        for (AbortedTransaction transaction : byProducer.getOrDefault(producerId, List.of())) {
            if (baseOffset >= transaction.firstOffset() && baseOffset < transaction.lastOffset()) {
                return true;
            }
        }
        return false;
    }
}
