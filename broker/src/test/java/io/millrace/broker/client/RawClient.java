package io.millrace.broker.client;

import static org.awaitility.Awaitility.await;

import io.millrace.wire.frame.AllocateProducerId;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DescribeLog;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.LogDescribed;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.PartitionDescription;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.ProducerIdAllocated;
import io.millrace.wire.frame.Prologue;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.SessionOpened;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import io.millrace.wire.frame.TransferAssembler;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.frame.TransferGrant;
import io.millrace.wire.frame.TransferSplitter;
import io.millrace.wire.name.DestinationKind;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** One connection that a test drives frame by frame. */
public final class RawClient implements AutoCloseable {

    private static final int TIMEOUT_S = 20;

    private final Socket socket;
    private final UUID uuid;
    private final AtomicInteger nextCorr = new AtomicInteger(1);
    private final ConcurrentHashMap<Integer, CompletableFuture<AnswerFrame>> answers = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Integer, CompletableFuture<AnswerFrame>> expectations = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<Deliver> deliveries = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<ConsumerClosed> closedConsumers = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Frame> others = new LinkedBlockingQueue<>();
    private final ConcurrentHashMap<Integer, CompletableFuture<Void>> grants = new ConcurrentHashMap<>();
    private final CompletableFuture<Goodbye> goodbye = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile CompletableFuture<Boolean> mayRead = CompletableFuture.completedFuture(true);
    private final TransferAssembler transfers = new TransferAssembler(Integer.MAX_VALUE, 100);

    private RawClient(int port, UUID uuid) {
        this.uuid = uuid;
        try {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection on which nothing was said. */
    public static RawClient silent(int port) {
        return new RawClient(port, UUID.randomUUID());
    }

    /** A connection that is logged in. */
    public static RawClient connect(int port) {
        return connect(port, UUID.randomUUID());
    }

    /** A connection that is logged in and has session 1. */
    public static RawClient inSession(int port) {
        RawClient client = connect(port);
        client.openSession(1, UUID.randomUUID());
        return client;
    }

    /** A connection of a client that may have had others. */
    public static RawClient connect(int port, UUID clientUuid) {
        RawClient client = new RawClient(port, clientUuid);
        client.prologue();
        client.hello();
        client.login();
        return client;
    }

    /** Agrees on the version and begins to read frames. */
    public Prologue.Server prologue() {
        ByteBuffer offer = ByteBuffer.allocate(Prologue.BYTES);
        Prologue.Client.current().encode(offer);
        write(offer.array());
        Prologue.Server server = readPrologue();
        startReading();
        return server;
    }

    /** Reads what the server answers to a prologue. */
    public Prologue.Server readPrologue() {
        return Prologue.Server.decode(ByteBuffer.wrap(read(Prologue.BYTES)));
    }

    /** Announces that an answer with this correlation id will come, though no request asks for it. */
    public void expectAnswer(int corr) {
        CompletableFuture<AnswerFrame> answer = new CompletableFuture<>();
        answers.put(corr, answer);
        expectations.put(corr, answer);
    }

    /** Waits for an answer that was announced. */
    public AnswerFrame expected(int corr) {
        return join(Objects.requireNonNull(expectations.get(corr)));
    }

    public HelloOk hello() {
        send(new Hello(uuid, "raw test client", "1"));
        return (HelloOk) other();
    }

    /** Says hello, and returns whether the server answers it; if not, it has ended the connection. */
    public boolean isLetIn() {
        prologue();
        send(new Hello(uuid, "raw test client", "1"));
        await().until(() -> !others.isEmpty() || ended.isDone());
        return others.poll() instanceof HelloOk;
    }

    public LoginOk login() {
        send(new Login("NONE", ByteBuffer.allocate(0)));
        return (LoginOk) other();
    }

    public UUID uuid() {
        return uuid;
    }

    /** Opens a session under this number; returns whether it was resumed. */
    public boolean openSession(int number, UUID sessionUuid) {
        return request(SessionOpened.class, corr -> new OpenSession(corr, number, sessionUuid))
                .resumed();
    }

    public DestinationDescribed describe(DestinationKind kind, String name) {
        return request(
                DestinationDescribed.class, corr -> new DescribeDestination(corr, Optional.of(kind), name, true));
    }

    public LogDescribed describeLog(DestinationDescribed destination) {
        return request(LogDescribed.class, corr -> new DescribeLog(corr, destination.logId()));
    }

    /** Describes partition 0. */
    public PartitionDescription describePartition(DestinationDescribed destination) {
        return describeLog(destination).partitions().getFirst();
    }

    /** Subscribes a consumer of session 1 durably and shared, for the client id {@code boss}; returns the subscription. */
    public UUID subscribe(DestinationDescribed topic, int consumer, String name) {
        return request(
                        Subscribed.class,
                        corr -> new Subscribe(
                                corr,
                                1,
                                consumer,
                                topic.logId(),
                                name,
                                Optional.of("boss"),
                                true,
                                true,
                                Optional.empty(),
                                false))
                .subscriptionUuid();
    }

    public long producerId() {
        return request(ProducerIdAllocated.class, AllocateProducerId::new).producerId();
    }

    /** Sends a request and waits for an answer of this type. */
    public <A extends AnswerFrame> A request(Class<A> type, IntFunction<RequestFrame> request) {
        AnswerFrame answer = join(start(request));
        if (!type.isInstance(answer)) {
            throw new AssertionError("expected " + type.getSimpleName() + ", got " + answer);
        }
        return type.cast(answer);
    }

    /** Sends a request and waits for its failure. */
    public Failure failure(IntFunction<RequestFrame> request) {
        return request(Failure.class, request);
    }

    /** Sends a request; the answer completes the future. */
    public CompletableFuture<AnswerFrame> start(IntFunction<RequestFrame> request) {
        int corr = nextCorr.getAndIncrement();
        CompletableFuture<AnswerFrame> answer = new CompletableFuture<>();
        answers.put(corr, answer);
        send(request.apply(corr));
        return answer;
    }

    /** Sends a frame, in chunks if it is large. */
    public void send(Frame frame) {
        if (FrameCodec.contentSizeOf(frame) > FrameCodec.MAX_FRAME_BYTES) {
            sendInChunks(frame);
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(FrameCodec.sizeOf(frame));
        FrameCodec.encode(frame, bytes);
        write(bytes.array());
    }

    private void sendInChunks(Frame frame) {
        int id = nextCorr.getAndIncrement();
        TransferSplitter splitter = new TransferSplitter(id, frame);
        CompletableFuture<Void> granted = new CompletableFuture<>();
        grants.put(id, granted);
        send(splitter.begin());
        join(granted);
        splitter.forEachRemaining(this::send);
    }

    /** Announces a transfer without sending it; completes when it is granted. */
    public CompletableFuture<Void> beginTransfer(int id, int totalBytes) {
        CompletableFuture<Void> granted = new CompletableFuture<>();
        grants.put(id, granted);
        send(new TransferBegin(id, totalBytes));
        return granted;
    }

    public void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] read(int count) {
        try {
            return socket.getInputStream().readNBytes(count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the server closes a connection on which no frames are read. */
    public boolean isClosedByServer() {
        try {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_S));
            while (socket.getInputStream().read() >= 0) {
                // What it says before does not matter.
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private void startReading() {
        Thread.ofVirtual().start(() -> {
            try {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                while (true) {
                    // However long: a test that fails because another one's client does not read is no test.
                    mayRead.join();
                    byte[] content = new byte[FrameCodec.checkLength(in.readInt())];
                    in.readFully(content);
                    receive(FrameCodec.decode(ByteBuffer.wrap(content), Peer.SERVER));
                }
            } catch (EOFException | SocketException e) {
                end();
            } catch (IOException e) {
                end();
                throw new UncheckedIOException(e);
            }
        });
    }

    private void end() {
        ended.complete(null);
        goodbye.completeExceptionally(new EOFException("closed without goodbye"));
        answers.values().forEach(answer -> answer.completeExceptionally(new EOFException("connection closed")));
    }

    private void receive(Frame frame) {
        if (frame instanceof AnswerFrame answer) {
            CompletableFuture<AnswerFrame> waiting = answers.remove(answer.corr());
            if (waiting == null) {
                throw new AssertionError("answer to nothing: " + frame);
            }
            waiting.complete(answer);
        } else if (frame instanceof Deliver delivery) {
            deliveries.add(delivery);
        } else if (frame instanceof ConsumerClosed closed) {
            closedConsumers.add(closed);
        } else if (frame instanceof Goodbye last) {
            goodbye.complete(last);
        } else if (frame instanceof TransferBegin begin) {
            transfers.onBegin(begin, true);
        } else if (frame instanceof TransferChunk chunk) {
            transfers.onChunk(chunk).ifPresent(whole -> receive(FrameCodec.decodeTransferred(whole, Peer.SERVER)));
        } else if (frame instanceof TransferGrant grant) {
            Objects.requireNonNull(grants.get(grant.transferId())).complete(null);
        } else {
            others.add(frame);
        }
    }

    /** Waits for the next frame that is none of the kinds below. */
    public Frame other() {
        return poll(others, "frame");
    }

    /** Waits for the next delivery. */
    public Deliver delivery() {
        return poll(deliveries, "delivery");
    }

    /** Returns the next delivery that is here already. */
    public Optional<Deliver> deliveryAtHand() {
        return Optional.ofNullable(deliveries.poll());
    }

    public boolean hasDeliveries() {
        return !deliveries.isEmpty();
    }

    /** Reads at most one frame more, until {@link #continueReading}. */
    public void stopReading() {
        mayRead = new CompletableFuture<>();
    }

    public void continueReading() {
        mayRead.complete(true);
    }

    /** Waits for the server to end a consumer. */
    public ConsumerClosed closedConsumer() {
        return poll(closedConsumers, "closed consumer");
    }

    /** Waits for the server's goodbye. */
    public Goodbye goodbye() {
        return join(goodbye);
    }

    /** Returns the server's goodbye if it is here already. */
    public Optional<Goodbye> goodbyeAtHand() {
        return goodbye.isDone() && !goodbye.isCompletedExceptionally() ? Optional.of(goodbye.join()) : Optional.empty();
    }

    /** Completes when the connection is closed. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    public static <T> T join(CompletableFuture<T> future) {
        return future.orTimeout(TIMEOUT_S, TimeUnit.SECONDS).join();
    }

    private static <T> T poll(LinkedBlockingQueue<T> queue, String what) {
        try {
            T next = queue.poll(TIMEOUT_S, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no " + what + " came within " + TIMEOUT_S + " s");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        die();
    }

    /** Closes without a goodbye, as a client that dies. */
    public void die() {
        try {
            socket.close();
            mayRead.complete(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
