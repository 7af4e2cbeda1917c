package io.millrace.jms.internal.client;

import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.RequestFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;

/** Keeps a session within the open requests that the server permits: what is above waits here, in order. Confined to the loop. */
final class RequestWindow {

    private final BrokerLink link;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int maxOpen = 1;
    private int open;

    private record Waiting(IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler) {}

    RequestWindow(BrokerLink link) {
        this.link = link;
    }

    void limit(int maxOpenRequests) {
        maxOpen = maxOpenRequests;
    }

    void ask(IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler) {
        if (open < maxOpen) {
            askNow(frame, sent, handler);
        } else {
            waiting.add(new Waiting(frame, sent, handler));
        }
    }

    /** The socket is gone, and with it the open requests; those that waited are not sent on the next one by themselves. */
    void failWaiting(LinkException why) {
        List<Waiting> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(request -> request.handler.onFailure(why));
    }

    private void askNow(IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler) {
        open++;
        link.ask(frame, sent, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                onOutcome();
                handler.onAnswer(answer);
            }

            @Override
            public void onFailure(LinkException failure) {
                onOutcome();
                handler.onFailure(failure);
            }
        });
    }

    private void onOutcome() {
        open--;
        if (link.up() && !waiting.isEmpty()) {
            Waiting next = waiting.remove();
            askNow(next.frame, next.sent, next.handler);
        }
    }
}
