package io.millrace.jms.internal.session;

import static org.awaitility.Awaitility.await;

import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.message.TrustedClasses;
import io.millrace.jms.internal.options.ServiceUrl;
import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.FakeServer;
import io.millrace.jms.internal.transport.LinkSettings;
import io.millrace.jms.internal.transport.ManualLoop;
import io.millrace.jms.internal.transport.NettyConnector;
import io.millrace.jms.internal.transport.ServerClock;
import io.millrace.wire.frame.Send;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A JMS connection to a scripted server, in time that the test moves. */
final class JmsHarness implements AutoCloseable {

    private static final long PATIENCE_S = 20;

    final FakeServer server = new FakeServer();
    final ManualLoop loop = new ManualLoop();
    final List<JMSException> exceptions = new CopyOnWriteArrayList<>();
    final MillraceConnection connection;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    JmsHarness() throws JMSException {
        this("");
    }

    JmsHarness(String options) throws JMSException {
        // So that a test may let minutes pass at once, without an exchange of heartbeats in between.
        server.heartbeatIntervalMs(3_600_000);
        server.sessionGraceMs(3 * 3_600_000);
        connection = MillraceConnection.open(parts(options), SessionKind.COMMON);
        ExceptionListener listener = exceptions::add;
        connection.setExceptionListener(listener);
    }

    private ConnectionParts parts(String options) {
        LinkSettings settings = new LinkSettings(
                List.of(server.address()), Optional.empty(), false, new UUID(1, 2), "test", 10_000, 100, 1_000, 30_000);
        BrokerLink.Parts link = new BrokerLink.Parts(
                loop,
                new NettyConnector(loop.netty(), 10_000, Optional.empty()),
                Runnable::run,
                settings,
                new SplittableRandom(1),
                new ServerClock(loop.time()));
        return new ConnectionParts(
                link,
                ServiceUrl.parse("millrace://127.0.0.1:" + server.port() + options),
                new MessageFactory(TrustedClasses.of("")),
                Executors.newCachedThreadPool(),
                () -> {});
    }

    /** Calls something that may wait in a thread of its own. */
    <T> Future<T> async(Callable<T> call) {
        return threads.submit(call);
    }

    /** Waits for such a call. */
    static <T> T get(Future<T> call) throws ExecutionException {
        try {
            return call.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException stuck) {
            throw new AssertionError("the call does not return", stuck);
        }
    }

    /** Waits until something is true. */
    static void until(Callable<Boolean> condition) {
        await().until(condition);
    }

    /** Breaks the socket and lets the client connect again. */
    void reconnect() {
        int before = server.connectionCount();
        server.breakConnections();
        // The delay before the first attempt counts from when the client has noticed.
        until(() -> {
            loop.advanceMs(20);
            return server.connectionCount() > before;
        });
    }

    /** Returns the texts in the batch of a Send. */
    static List<String> texts(Send send) {
        List<String> texts = new ArrayList<>();
        try (RecordCursor records = RecordBatch.at(send.payload(), 0).records()) {
            while (records.next()) {
                texts.add(StandardCharsets.UTF_8.decode(records.value()).toString());
            }
        }
        return texts;
    }

    @Override
    public void close() throws JMSException {
        server.breakConnections();
        server.close();
        threads.shutdownNow();
        Future<Object> closing = Executors.newSingleThreadExecutor().submit(() -> {
            connection.close();
            return "closed";
        });
        until(() -> {
            loop.advanceMs(5_000);
            return closing.isDone();
        });
        loop.close();
    }
}
