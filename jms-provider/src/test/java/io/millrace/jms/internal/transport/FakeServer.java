package io.millrace.jms.internal.transport;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AllocateProducerId;
import io.millrace.wire.frame.ClaimClientId;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Heartbeat;
import io.millrace.wire.frame.HeartbeatOk;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.LeaveSubscription;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.PartitionLeader;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.ProducerIdAllocated;
import io.millrace.wire.frame.Prologue;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.frame.SessionOpened;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import io.millrace.wire.frame.TransferAssembler;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.frame.TransferGrant;
import io.millrace.wire.frame.Unsubscribe;
import io.millrace.wire.name.DestinationKind;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A server that speaks the frames over a real socket and does what a test scripts. It answers each frame as a well-meaning server would,
 * unless the test gave another answer for the type, or holds the type: held frames wait until the test answers them. All frames are
 * remembered in order.
 */
public final class FakeServer implements AutoCloseable {

    private static final long PATIENCE_S = 20;

    private final ServerSocket listener;
    private final Thread acceptor;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final List<Frame> received = new CopyOnWriteArrayList<>();
    private final Map<Class<?>, BlockingQueue<Frame>> held = new ConcurrentHashMap<>();
    private final Map<Class<?>, Function<Frame, List<Frame>>> answers = new ConcurrentHashMap<>();
    private volatile boolean silent;
    private volatile int heartbeatIntervalMs = 5_000;
    private volatile int sessionGraceMs = 15_000;
    private volatile List<String> mechanisms = List.of("NONE");

    public FakeServer() {
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        script();
        acceptor = new Thread(this::accept, "fake-server");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    public int port() {
        return listener.getLocalPort();
    }

    public ServerAddress address() {
        return new ServerAddress("127.0.0.1", port());
    }

    // ---- what the test says ----

    /** Answers frames of a type in another way; no frames: not at all. */
    public <F extends Frame> void answer(Class<F> type, Function<F, List<Frame>> answer) {
        answers.put(type, frame -> answer.apply(type.cast(frame)));
    }

    /** Keeps frames of a type for {@link #take}. */
    public <F extends Frame> void hold(Class<F> type) {
        held.put(type, new LinkedBlockingQueue<>());
    }

    /** Answers frames of a type again as before. */
    public <F extends Frame> void release(Class<F> type) {
        held.remove(type);
    }

    /** Waits for the next held frame of a type. */
    public <F extends Frame> F take(Class<F> type) {
        try {
            Frame frame = queue(type).poll(PATIENCE_S, TimeUnit.SECONDS);
            if (frame == null) {
                throw new AssertionError("no " + type.getSimpleName() + " came; received: " + received);
            }
            return type.cast(frame);
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Returns whether a held frame of a type is there. */
    public boolean holds(Class<? extends Frame> type) {
        return !queue(type).isEmpty();
    }

    private BlockingQueue<Frame> queue(Class<? extends Frame> type) {
        BlockingQueue<Frame> queue = held.get(type);
        if (queue == null) {
            throw new AssertionError(type.getSimpleName() + " is not held");
        }
        return queue;
    }

    /** Sends a frame on the newest connection. */
    public void send(Frame frame) {
        connections.get(connections.size() - 1).send(frame);
    }

    /** Reads nothing any more and answers nothing, without closing. */
    public void fallSilent() {
        silent = true;
    }

    /** Reads and answers again, on new connections. */
    public void speak() {
        silent = false;
    }

    /** Breaks all connections without a word. */
    public void breakConnections() {
        connections.forEach(Connection::close);
    }

    public void heartbeatIntervalMs(int intervalMs) {
        heartbeatIntervalMs = intervalMs;
    }

    public void sessionGraceMs(int graceMs) {
        sessionGraceMs = graceMs;
    }

    public void mechanisms(String... names) {
        mechanisms = List.of(names);
    }

    // ---- what the test asks ----

    /** Returns all frames so far, of all connections, in order. */
    public List<Frame> received() {
        return List.copyOf(received);
    }

    /** Returns the frames of a type so far. */
    public <F extends Frame> List<F> received(Class<F> type) {
        return received.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Returns how many connections there have been. */
    public int connectionCount() {
        return connections.size();
    }

    // ---- what a well-meaning server does ----

    private void script() {
        answer(
                Hello.class,
                hello -> List.of(new HelloOk(
                        "fake",
                        1,
                        new UUID(0, 1),
                        1,
                        1_800_000_000_000L,
                        heartbeatIntervalMs,
                        sessionGraceMs,
                        262_144,
                        10_000_000,
                        32,
                        mechanisms)));
        answer(Login.class, login -> List.of(new LoginOk("anonymous", ByteBuffer.allocate(0))));
        answer(Heartbeat.class, beat -> List.of(new HeartbeatOk(beat.clientNanos(), 1_800_000_000_000L)));
        answer(OpenSession.class, open -> List.of(new SessionOpened(open.corr(), open.session(), false)));
        answer(CloseSession.class, close -> List.of(new Done(close.corr(), close.session())));
        answer(ClaimClientId.class, claim -> List.of(new Done(claim.corr(), 0)));
        answer(DescribeDestination.class, describe -> List.of(described(describe, 1)));
        answer(
                AllocateProducerId.class,
                allocate -> List.of(new ProducerIdAllocated(allocate.corr(), 4_000, (short) 0)));
        answer(Send.class, send -> List.of(new SendOk(send.corr(), send.session(), 0, send.leaderEpoch())));
        answer(
                Subscribe.class,
                subscribe -> List.of(new Subscribed(subscribe.corr(), subscribe.session(), new UUID(5, 5))));
        answer(Unsubscribe.class, unsubscribe -> List.of(new Done(unsubscribe.corr(), unsubscribe.session())));
        answer(LeaveSubscription.class, leave -> List.of(new Done(leave.corr(), leave.session())));
        answer(
                OpenConsumer.class,
                open -> List.of(
                        new ConsumerOpened(open.corr(), open.session(), open.consumer(), open.partition(), 1, 0)));
        answer(CloseConsumer.class, close -> List.of(new Done(close.corr(), close.session())));
        answer(
                Acknowledge.class,
                acknowledge -> List.of(new Acknowledged(acknowledge.corr(), acknowledge.session(), List.of())));
        answer(Release.class, release -> List.of(new Done(release.corr(), release.session())));
        answer(
                Pull.class,
                pull -> List.of(new PullDone(pull.corr(), pull.session(), pull.consumer(), pull.partition(), false)));
        answer(TransferBegin.class, begin -> List.of(new TransferGrant(begin.transferId())));
    }

    /** Returns a description of what was asked for. */
    public static DestinationDescribed described(DescribeDestination asked, int leaderEpoch) {
        return new DestinationDescribed(
                asked.corr(),
                logId(asked.name()),
                asked.name(),
                asked.kind().orElse(DestinationKind.QUEUE),
                8_000_000,
                List.of(new PartitionLeader(1, leaderEpoch, "127.0.0.1", 1)));
    }

    /** Returns the log of a destination, the same each time. */
    public static UUID logId(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    private void onFrame(Connection connection, Frame frame) {
        received.add(frame);
        BlockingQueue<Frame> holding = held.get(frame.getClass());
        if (holding != null) {
            holding.add(frame);
            return;
        }
        Function<Frame, List<Frame>> answer = answers.get(frame.getClass());
        if (answer != null) {
            answer.apply(frame).forEach(connection::send);
        }
    }

    private void accept() {
        try {
            while (true) {
                Connection connection = new Connection(listener.accept());
                connections.add(connection);
                Thread reader = new Thread(connection::read, "fake-server-reader");
                reader.setDaemon(true);
                reader.start();
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        breakConnections();
    }

    /** One accepted socket. */
    private final class Connection {

        private final Socket socket;
        private final TransferAssembler transfers = new TransferAssembler(10_000_000, 16);

        Connection(Socket socket) {
            this.socket = socket;
        }

        void read() {
            try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
                byte[] prologue = in.readNBytes(Prologue.BYTES);
                if (prologue.length < Prologue.BYTES) {
                    return; // the client closed the socket at once
                }
                ByteBuffer answer = ByteBuffer.allocate(Prologue.BYTES);
                Prologue.Server.answerTo(Prologue.Client.decode(ByteBuffer.wrap(prologue)))
                        .encode(answer);
                if (silent) {
                    in.readAllBytes();
                    return;
                }
                write(answer);
                while (true) {
                    byte[] content = new byte[FrameCodec.checkLength(in.readInt())];
                    in.readFully(content);
                    Frame frame = FrameCodec.decode(ByteBuffer.wrap(content), Peer.CLIENT);
                    if (!silent) {
                        onPiece(frame);
                    }
                }
            } catch (IOException closed) {
                // the client or the test has closed the socket
            }
        }

        private void onPiece(Frame frame) {
            if (frame instanceof TransferBegin begin) {
                transfers.onBegin(begin, true);
                onFrame(this, frame);
            } else if (frame instanceof TransferChunk chunk) {
                Optional<ByteBuffer> content = transfers.onChunk(chunk);
                content.ifPresent(whole -> onFrame(this, FrameCodec.decodeTransferred(whole, Peer.CLIENT)));
            } else {
                onFrame(this, frame);
            }
            if (frame instanceof Goodbye) {
                send(new Goodbye(ErrorCode.NONE, "goodbye"));
                close();
            }
        }

        void send(Frame frame) {
            ByteBuffer bytes = ByteBuffer.allocate(FrameCodec.sizeOf(frame));
            FrameCodec.encode(frame, bytes);
            write(bytes);
        }

        private synchronized void write(ByteBuffer bytes) {
            try {
                OutputStream out = socket.getOutputStream();
                byte[] copy = new byte[bytes.flip().remaining()];
                bytes.get(copy);
                out.write(copy);
                out.flush();
            } catch (IOException closed) {
                // the client or the test has closed the socket
            }
        }

        void close() {
            try {
                socket.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    /** Returns the frames between two positions of {@link #received()}, for messages of tests. */
    public List<Frame> receivedSince(int position) {
        return new ArrayList<>(received.subList(position, received.size()));
    }
}
