package io.millrace.broker.internal.simulation;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.handler.RequestRouter;
import io.millrace.broker.internal.security.Access;
import io.millrace.broker.internal.security.Authorizer;
import io.millrace.broker.internal.security.DenialLog;
import io.millrace.broker.internal.security.Rights;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.time.SystemTimeSource;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** A connection of a JMS client that has logged in, as {@code NativeConnection} is one, with frames instead of their bytes. */
final class NativeLink extends Link implements ClientConnection {

    static final String USER = "user";

    private static final Rights ANYTHING = new Rights(new Access(
            new Authorizer(
                    false, Set.of(), false, () -> MetadataImage.EMPTY, new DenialLog(SystemTimeSource.instance())),
            "User:" + USER,
            InetAddress.getLoopbackAddress()));

    private static final int CONGESTED = 10;

    private final long id;
    private final UUID client;
    private final RequestRouter router;
    private final Consumer<Frame> receiver;
    private final Map<Integer, ClientSession> sessions = new HashMap<>();
    private final List<Runnable> waiting = new ArrayList<>();

    NativeLink(long id, UUID client, RequestRouter router, Consumer<Frame> receiver, Runnable onCut) {
        super(onCut);
        this.id = id;
        this.client = client;
        this.router = router;
        this.receiver = receiver;
        router.onOpened(this);
    }

    /** The client sends a frame. */
    void transmit(Frame frame) {
        ask(() -> arrive(frame));
    }

    private void arrive(Frame frame) {
        if (frame instanceof RequestFrame request) {
            int number = request.session();
            if (number != 0 && !sessions.containsKey(number) && !(request instanceof OpenSession)) {
                send(number, new Failure(request.corr(), number, ErrorCode.UNKNOWN_SESSION, "it is not open"));
            } else {
                router.onFrame(frame, new Exchange(this, request.corr(), number, () -> {}));
            }
        } else if (frame instanceof Credit credit && sessions.containsKey(credit.session())) {
            router.onFrame(frame, new Exchange(this, 0, credit.session(), () -> {}));
        }
    }

    @Override
    void onBrokerNotices() {
        router.onClosed(this);
    }

    @Override
    public void send(int session, Frame frame) {
        tell(() -> {
            receiver.accept(frame);
            if (!isCongested()) {
                List<Runnable> all = List.copyOf(waiting);
                waiting.clear();
                all.forEach(Runnable::run);
            }
        });
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public UUID clientUuid() {
        return client;
    }

    @Override
    public String principal() {
        return USER;
    }

    @Override
    public Rights rights() {
        return ANYTHING;
    }

    @Override
    public boolean isCongested() {
        return waitingForClient() >= CONGESTED;
    }

    @Override
    public void whenUncongested(Runnable task) {
        if (isCongested()) {
            waiting.add(task);
        } else {
            task.run();
        }
    }

    @Override
    public void close(ErrorCode code, String reason) {
        throw new AssertionError("the broker closes a connection: " + code + " " + reason);
    }

    @Override
    public boolean isClosed() {
        return isOver();
    }

    @Override
    public Optional<ClientSession> session(int number) {
        return Optional.ofNullable(sessions.get(number));
    }

    @Override
    public Collection<ClientSession> sessions() {
        return List.copyOf(sessions.values());
    }

    @Override
    public void bind(int number, ClientSession session) {
        sessions.put(number, session);
    }

    @Override
    public void unbind(int number) {
        sessions.remove(number);
    }

    @Override
    public String toString() {
        return "link-" + id;
    }
}
