package io.millrace.jms.internal.transport;

import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests that wait for their answers, by correlation id. Confined to the loop. */
final class OpenRequests {

    private final Map<Integer, ReplyHandler> handlers = new LinkedHashMap<>();
    private int lastCorr;

    /** Notes who waits, and returns the correlation id to ask with. */
    int add(ReplyHandler handler) {
        do {
            lastCorr = lastCorr == Integer.MAX_VALUE ? 1 : lastCorr + 1;
        } while (handlers.containsKey(lastCorr));
        handlers.put(lastCorr, handler);
        return lastCorr;
    }

    /** Hands an answer to who waits for it. One that nobody waits for is passed over. */
    void onAnswer(AnswerFrame answer) {
        ReplyHandler handler = handlers.remove(answer.corr());
        if (handler == null) {
            return;
        }
        if (answer instanceof Failure failure) {
            handler.onFailure(new RequestRefusedException(failure.code(), failure.message()));
        } else {
            handler.onAnswer(answer);
        }
    }

    /** Tells everybody that no answer will come, oldest request first. */
    void failAll(LinkException why) {
        List<ReplyHandler> waiting = new ArrayList<>(handlers.values());
        handlers.clear();
        waiting.forEach(handler -> handler.onFailure(why));
    }
}
