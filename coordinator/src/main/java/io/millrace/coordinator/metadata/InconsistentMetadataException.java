package io.millrace.coordinator.metadata;

import io.millrace.wire.MillraceException;

/**
 * A committed metadata record contradicts the state that it is applied to. It is a bug in whoever decided the record or in the replay,
 * and it stops the broker: what it believes about the cluster is wrong.
 */
public final class InconsistentMetadataException extends MillraceException {

    InconsistentMetadataException(String message) {
        super(Category.FATAL, message);
    }

    static void check(boolean holds, String broken) {
        if (!holds) {
            throw new InconsistentMetadataException(broken);
        }
    }
}
