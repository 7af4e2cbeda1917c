package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.jms.internal.transport.StepLoop;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.RequestFrame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** A session whose server is the test. */
final class FakeFeedSession implements FeedSession {

    private record Asked(RequestFrame frame, ReplyHandler handler) {}

    final StepLoop loop = new StepLoop();
    final List<Credit> credits = new ArrayList<>();
    private final Map<Integer, Asked> open = new LinkedHashMap<>();
    private int lastCorr;
    boolean up = true;
    boolean lent = true;

    @Override
    public int number() {
        return 1;
    }

    @Override
    public void ask(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {
        lastCorr++;
        open.put(lastCorr, new Asked(frame.apply(lastCorr), handler));
    }

    @Override
    public void tell(Frame frame) {
        credits.add((Credit) frame);
    }

    @Override
    public boolean up() {
        return up;
    }

    @Override
    public boolean holdsLent() {
        return lent;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    /** Returns the only open request of a type. */
    <F extends RequestFrame> F only(Class<F> type) {
        List<F> all = all(type);
        assertThat(all)
                .as("open requests of type %s among %s", type.getSimpleName(), open.values())
                .hasSize(1);
        return all.get(0);
    }

    /** Returns the open requests of a type, oldest first. */
    <F extends RequestFrame> List<F> all(Class<F> type) {
        loop.run();
        return open.values().stream()
                .map(Asked::frame)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    void answer(AnswerFrame answer) {
        take(answer.corr()).handler.onAnswer(answer);
        loop.run();
    }

    void refuse(RequestFrame request, ErrorCode code) {
        take(request.corr()).handler.onFailure(new RequestRefusedException(code, "scripted"));
        loop.run();
    }

    private Asked take(int corr) {
        Asked asked = open.remove(corr);
        if (asked == null) {
            throw new AssertionError("no open request with corr " + corr);
        }
        return asked;
    }

    /** Loses the socket: everything that is open fails. */
    void lose() {
        up = false;
        List<Asked> lost = List.copyOf(open.values());
        open.clear();
        lost.forEach(asked -> asked.handler.onFailure(new LinkLostException("scripted")));
        loop.run();
    }

    /** Returns the sum of the credit given since the last time, in messages. */
    int takeCredit() {
        loop.run();
        int sum = credits.stream().mapToInt(Credit::messages).sum();
        credits.clear();
        return sum;
    }
}
