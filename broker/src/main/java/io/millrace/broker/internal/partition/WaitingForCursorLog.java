package io.millrace.broker.internal.partition;

import io.millrace.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.UUID;

/** Requests that came before the partition had a cursor log, while it is created. On the shard. */
final class WaitingForCursorLog {

    private record Waiting(Optional<UUID> session, Runnable work, Reply<?> reply) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /**
     * Adds a request.
     *
     * @param session with which it leaves, if it is a consumer's opening
     * @param work what it does once there is a log
     * @param reply takes the failure if there will be none
     * @return whether it is the first, so that somebody has to create the log
     */
    boolean add(Optional<UUID> session, Runnable work, Reply<?> reply) {
        waiting.add(new Waiting(session, work, reply));
        return waiting.size() == 1;
    }

    /** The log is there. */
    void proceed() {
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            next.work.run();
        }
    }

    /** There will be no log. */
    void failAll(ErrorCode code, String why) {
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            next.reply.onFailed(code, why);
        }
    }

    /** A consumer whose opening still waits must not appear after its session has left: nobody would ever remove it. */
    void drop(UUID session) {
        waiting.removeIf(pending -> {
            boolean leaves = pending.session.equals(Optional.of(session));
            if (leaves) {
                pending.reply.onFailed(ErrorCode.UNKNOWN_SESSION, "the session has left meanwhile");
            }
            return leaves;
        });
    }
}
