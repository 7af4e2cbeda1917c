package io.millrace.benchmarks.program;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asynchronous sends of one producer, of which so many may be unconfirmed. Used by one thread; confirmations come from any. */
public final class SendWindow implements CompletionListener {
    private static final int SIZE = 2000;

    private final Semaphore permits = new Semaphore(SIZE);
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    /** Sends a message, as soon as few enough are unconfirmed. */
    public void send(MessageProducer producer, Message message) throws JMSException, InterruptedException {
        permits.acquire();
        producer.send(message, this);
    }

    /**
     * Waits until every send is confirmed.
     *
     * @throws BenchmarkException if one failed, or is not confirmed in time
     */
    public void drain() throws InterruptedException {
        if (!permits.tryAcquire(SIZE, RunContext.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new BenchmarkException("asynchronous sends were not confirmed within " + RunContext.PATIENCE);
        }
        permits.release(SIZE);
        Exception first = failure.get();
        if (first != null) {
            throw new BenchmarkException("an asynchronous send failed: " + first, first);
        }
    }

    @Override
    public void onCompletion(Message message) {
        permits.release();
    }

    @Override
    public void onException(Message message, Exception exception) {
        failure.compareAndSet(null, exception);
        permits.release();
    }
}
