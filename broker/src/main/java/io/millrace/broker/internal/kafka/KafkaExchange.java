package io.millrace.broker.internal.kafka;

import io.millrace.broker.internal.security.Access;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * One request of a Kafka client, and the way to answer it. Each is finished exactly once, by an answer, by silence where the protocol
 * wants none, or by the end of the connection; whoever comes second is ignored. Answers leave in the order of the requests.
 *
 * <p>May be used from any thread.
 */
public final class KafkaExchange {

    /** How an exchange ended. */
    public sealed interface Outcome {
        /**
         * With an answer.
         *
         * @param response what is sent
         * @param release runs when it was written, or will never be
         */
        record Answer(AbstractResponse response, Runnable release) implements Outcome {}

        /** With silence: produce requests that want no acknowledgement. */
        record Silence() implements Outcome {}
    }

    private final KafkaClient client;
    private final RequestHeader header;
    private final AbstractRequest request;
    private final int requestBytes;
    private final Runnable onFinished;
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    /** What is done with the answer before it leaves, in this order; set before handlers begin. */
    private final List<Consumer<AbstractResponse>> completions = new ArrayList<>(1);

    /** Who waits elsewhere for something to answer, and need not any more. */
    private final AtomicReference<@Nullable Runnable> whenFinished = new AtomicReference<>();

    private @Nullable Access access;

    /**
     * Creates an exchange for a request that was read.
     *
     * @param requestBytes of the request as it came
     * @param onFinished runs once when the exchange is finished, on the thread that finished it
     */
    public KafkaExchange(
            KafkaClient client, RequestHeader header, AbstractRequest request, int requestBytes, Runnable onFinished) {
        this.client = client;
        this.header = header;
        this.request = request;
        this.requestBytes = requestBytes;
        this.onFinished = onFinished;
    }

    /** Returns who asks. */
    public KafkaClient client() {
        return client;
    }

    /** Returns the header, with the version of the request and the client's id. */
    public RequestHeader header() {
        return header;
    }

    /** Returns the version of the request, which is that of the answer too. */
    public short version() {
        return header.apiVersion();
    }

    /** Returns the request. */
    public AbstractRequest request() {
        return request;
    }

    /** Returns how many bytes the request had. */
    public int requestBytes() {
        return requestBytes;
    }

    /** Leaves what the client sends unread for a while, in ms. */
    public void throttle(long throttleMs) {
        client.throttle(throttleMs);
    }

    /** Returns where the client is. */
    public InetAddress clientAddress() {
        return client.address();
    }

    /** Returns who the client is, as {@code User:name}. */
    public String principal() {
        return client.principal();
    }

    /** Notes what the client may do; before the request is given to its handler. */
    public void enter(Access granted) {
        access = granted;
    }

    /** Returns what the client may do. */
    public Access access() {
        Access granted = access;
        if (granted == null) {
            throw new IllegalStateException("nobody has looked at what the client may do");
        }
        return granted;
    }

    /**
     * Has the answer completed before it leaves. May be called before the request is given to its handler.
     *
     * @param completion changes the answer; on the thread that answers
     */
    @SuppressWarnings("unchecked") // The key of a request decides of which class its answer is.
    public <R extends AbstractResponse> void completeAnswer(Consumer<R> completion) {
        completions.add(response -> completion.accept((R) response));
    }

    /** Answers. */
    public void answer(AbstractResponse response) {
        answer(response, () -> {});
    }

    /**
     * Answers with what has to be given back.
     *
     * @param release runs once, when the answer was written or will never be
     */
    public void answer(AbstractResponse response, Runnable release) {
        if (isFinished() || !finish(new Outcome.Answer(completed(response), release))) {
            release.run();
        }
    }

    /** Answers nothing, as the request wanted it. */
    public void staySilent() {
        finish(new Outcome.Silence());
    }

    /** Answers when a stage completes; that the request failed, if the stage or making the answer does. */
    public <T> void answerWhenDone(CompletionStage<T> stage, Function<? super T, ? extends AbstractResponse> answer) {
        stage.whenComplete((result, failure) -> {
            if (failure != null) {
                fail(failure);
                return;
            }
            try {
                answer(answer.apply(result));
            } catch (RuntimeException e) {
                fail(e);
            }
        });
    }

    /** Answers that the request as a whole failed. */
    public void fail(Throwable failure) {
        AbstractResponse response = request.getErrorResponse(KafkaErrors.toException(failure));
        if (response == null) {
            staySilent();
        } else {
            answer(response);
        }
    }

    private AbstractResponse completed(AbstractResponse response) {
        try {
            completions.forEach(completion -> completion.accept(response));
            return response;
        } catch (RuntimeException e) {
            // An answer that could not be completed may hold what its client must not see.
            AbstractResponse failed = request.getErrorResponse(KafkaErrors.toException(e));
            return failed == null ? response : failed;
        }
    }

    /**
     * Has a task run once when this is finished, by whomever: by the end of the connection too. At once if it is. One task at most; it runs on
     * the thread that finishes.
     */
    public void whenFinished(Runnable task) {
        if (!whenFinished.compareAndSet(null, task)) {
            task.run();
        }
    }

    private boolean finish(Outcome end) {
        boolean first = outcome.compareAndSet(null, end);
        if (first) {
            onFinished.run();
            // Anything but null has whoever comes later told at once.
            Runnable toEnd = whenFinished.getAndSet(onFinished);
            if (toEnd != null) {
                toEnd.run();
            }
        }
        return first;
    }

    /** Returns how it ended, or null if it has not. */
    public @Nullable Outcome outcome() {
        return outcome.get();
    }

    /** Returns whether it ended. */
    public boolean isFinished() {
        return outcome.get() != null;
    }
}
