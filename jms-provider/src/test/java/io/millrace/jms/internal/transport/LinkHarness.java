package io.millrace.jms.internal.transport;

import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.HelloOk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A link to a {@link FakeServer} in manual time, that writes down what it hears. */
final class LinkHarness implements LinkListener, AutoCloseable {

    final FakeServer server = new FakeServer();
    final ManualLoop loop = new ManualLoop();
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<Frame> frames = new CopyOnWriteArrayList<>();
    final AtomicInteger lent = new AtomicInteger();
    final AtomicReference<LinkException> end = new AtomicReference<>();
    final ServerClock clock = new ServerClock(loop.time());
    final BrokerLink link;
    boolean resumeAtOnce = true;

    LinkHarness() {
        this(Optional.empty(), List.of());
    }

    LinkHarness(Optional<UserPassword> login, List<ServerAddress> before) {
        List<ServerAddress> addresses = new ArrayList<>(before);
        addresses.add(server.address());
        LinkSettings settings =
                new LinkSettings(addresses, login, false, new UUID(1, 2), "test", 10_000, 100, 1_000, 30_000);
        link = new BrokerLink(
                new BrokerLink.Parts(
                        loop,
                        new NettyConnector(loop.netty(), 10_000, Optional.empty()),
                        Runnable::run,
                        settings,
                        new SplittableRandom(1),
                        clock),
                this);
    }

    void open() {
        loop.execute(link::open);
    }

    CompletableFuture<Void> closeLink(String reason) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        loop.execute(() -> {
            CompletableFuture<Void> _ = link.close(reason).thenRun(() -> gone.complete(null));
        });
        return gone;
    }

    @Override
    public void onUp(HelloOk hello) {
        events.add("up");
        if (resumeAtOnce) {
            link.resumed();
        }
    }

    @Override
    public void onDown(LinkException why) {
        events.add("down");
    }

    @Override
    public void onLent() {
        lent.incrementAndGet();
    }

    @Override
    public void onFrame(Frame frame) {
        frames.add(frame);
    }

    @Override
    public void onClosed(LinkException why) {
        end.set(why);
        events.add("closed");
    }

    @Override
    public void close() {
        CompletableFuture<Void> gone = closeLink("the test is over");
        loop.settle();
        server.close();
        loop.advanceMs(2_000);
        gone.join();
        loop.close();
    }
}
