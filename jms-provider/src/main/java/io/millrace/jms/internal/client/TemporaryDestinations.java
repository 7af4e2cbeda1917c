package io.millrace.jms.internal.client;

import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.CreateTemporary;
import io.millrace.wire.frame.DeleteTemporary;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.name.DestinationKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The temporary destinations of a connection. When it is made again they are taken up under their names, before its consumers are: a server that was restarted
 * has them again then, without their messages. Confined to the loop, except {@link #owns}.
 */
public final class TemporaryDestinations {

    /** Far below what a server permits. */
    private static final int MAX_OPEN_REQUESTS = 16;

    private record Owned(DestinationKind kind, UUID key) {}

    private final ClientConnection connection;
    private final BrokerLink link;
    private final Map<String, Owned> owned = new ConcurrentHashMap<>();

    TemporaryDestinations(ClientConnection connection, BrokerLink link) {
        this.connection = connection;
        this.link = link;
    }

    /** Returns whether the connection has a temporary destination of this name; for any thread. */
    public boolean owns(String name) {
        return owned.containsKey(name);
    }

    /**
     * Creates one.
     *
     * @param key random, told to nobody
     * @return its name
     */
    public CompletableFuture<String> create(DestinationKind kind, UUID key) {
        return connection
                .request(corr -> new CreateTemporary(corr, kind, key, Optional.empty()))
                .thenApply(answer -> {
                    String name = ((DestinationDescribed) answer).name();
                    owned.put(name, new Owned(kind, key));
                    return name;
                });
    }

    /** Deletes one. That it is gone already is no failure. */
    public CompletableFuture<Void> delete(String name) {
        return connection.request(corr -> new DeleteTemporary(corr, name)).handle((answer, failure) -> {
            if (failure != null && !isGone(failure)) {
                throw new CompletionException(failure);
            }
            owned.remove(name);
            return null;
        });
    }

    private static boolean isGone(Throwable failure) {
        return failure instanceof RequestRefusedException refused && refused.code() == ErrorCode.DESTINATION_NOT_FOUND;
    }

    /**
     * Takes all of them up over a new socket. One that the server refuses is no longer there: whoever uses it is told then.
     *
     * @param done runs when the server has answered
     */
    void renew(Runnable done) {
        Deque<Map.Entry<String, Owned>> left = new ArrayDeque<>(owned.entrySet());
        int[] open = {Math.min(MAX_OPEN_REQUESTS, left.size())};
        if (left.isEmpty()) {
            done.run();
        }
        for (int i = open[0]; i > 0; i--) {
            renewNext(left, open, done);
        }
    }

    private void renewNext(Deque<Map.Entry<String, Owned>> left, int[] open, Runnable done) {
        Map.Entry<String, Owned> next = left.poll();
        if (next == null) {
            open[0]--;
            if (open[0] == 0) {
                done.run();
            }
            return;
        }
        Owned one = next.getValue();
        link.ask(corr -> new CreateTemporary(corr, one.kind, one.key, Optional.of(next.getKey())), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                renewNext(left, open, done);
            }

            @Override
            public void onFailure(LinkException failure) {
                if (!(failure instanceof LinkLostException)) {
                    owned.remove(next.getKey());
                    renewNext(left, open, done);
                }
            }
        });
    }
}
