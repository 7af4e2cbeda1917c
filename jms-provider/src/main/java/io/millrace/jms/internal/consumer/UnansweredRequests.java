package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.RequestFrame;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * Requests of one session that may be done twice: those whose answers were lost with the socket go again, in order, when the session was
 * resumed. When the server has forgotten the session, they are without object and fail. Confined to the loop.
 */
final class UnansweredRequests {

    private final FeedSession session;
    private final Set<Request> requests = new LinkedHashSet<>();
    private final List<CompletableFuture<Void>> drains = new ArrayList<>();

    private static final class Request {
        private final IntFunction<? extends RequestFrame> frame;
        private final ReplyHandler handler;
        private boolean sent;

        Request(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {
            this.frame = frame;
            this.handler = handler;
        }
    }

    UnansweredRequests(FeedSession session) {
        this.session = session;
    }

    /** Asks now, or when the session is there again. */
    void ask(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {
        Request request = new Request(frame, handler);
        requests.add(request);
        transmit(request);
    }

    /** Returns a future that is completed when everything asked so far has its outcome. */
    CompletableFuture<Void> drained() {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        drains.add(drained);
        completeDrains();
        return drained;
    }

    void onResumed() {
        List.copyOf(requests).forEach(request -> {
            if (!request.sent) {
                transmit(request);
            }
        });
    }

    void onForgotten(LinkException why) {
        List<Request> lost = List.copyOf(requests);
        requests.clear();
        lost.forEach(request -> request.handler.onFailure(why));
        completeDrains();
    }

    private void transmit(Request request) {
        if (!session.up()) {
            return; // onResumed sends it
        }
        request.sent = true;
        session.ask(request.frame, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                if (requests.remove(request)) {
                    request.handler.onAnswer(answer);
                    completeDrains();
                }
            }

            @Override
            public void onFailure(LinkException failure) {
                if (failure instanceof LinkLostException) {
                    request.sent = false;
                } else if (requests.remove(request)) {
                    request.handler.onFailure(failure);
                    completeDrains();
                }
            }
        });
    }

    private void completeDrains() {
        if (requests.isEmpty()) {
            List<CompletableFuture<Void>> now = List.copyOf(drains);
            drains.clear();
            now.forEach(drained -> drained.complete(null));
        }
    }
}
