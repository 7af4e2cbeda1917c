package io.millrace.systemtests.verify;

import io.millrace.systemtests.network.FrameWatch;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.FrameType;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.RequestFrame;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Waits, on all connections of a proxy, for the first that comes to a {@link FramePoint}, and strikes there. Armed by one thread. */
final class FrameTrap {

    private static final Set<FrameType> REQUESTS = Set.of(
            FrameType.END_TRANSACTION,
            FrameType.END_BRANCH,
            FrameType.PREPARE_BRANCH,
            FrameType.COMMIT_BRANCH,
            FrameType.ROLLBACK_BRANCH);

    private volatile Optional<Armed> armed = Optional.empty();

    /** What is waited for, and what is done then. */
    private record Armed(FramePoint point, boolean cuts, Runnable strike, AtomicBoolean taken, CountDownLatch sprung) {

        private FrameWatch.Fate fate() {
            if (point.moment() == FramePoint.Moment.UNDER_WAY) {
                return cuts ? FrameWatch.Fate.PASS_AND_CUT : FrameWatch.Fate.PASS;
            }
            return cuts ? FrameWatch.Fate.CUT : FrameWatch.Fate.HOLD;
        }

        private void spring() {
            strike.run();
            sprung.countDown();
        }
    }

    /**
     * Arms it to cut the connection, or to kill.
     *
     * @param strike what to do when it springs, besides cutting
     */
    void arm(FramePoint point, boolean cuts, Runnable strike) {
        armed = Optional.of(new Armed(point, cuts, strike, new AtomicBoolean(), new CountDownLatch(1)));
    }

    /** Returns whether it has sprung, waiting for that. */
    boolean await(long timeoutMs) throws InterruptedException {
        Optional<Armed> waiting = armed;
        return waiting.isEmpty() || waiting.get().sprung().await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    void disarm() {
        armed = Optional.empty();
    }

    FrameWatch watch() {
        return new Watch();
    }

    /** Takes what is armed, for the one connection that gets there first. */
    private Optional<Armed> take(FrameType request, FramePoint.Moment moment) {
        return armed.filter(trap -> trap.point().equals(new FramePoint(request, moment))
                && trap.taken().compareAndSet(false, true));
    }

    private final class Watch implements FrameWatch {

        private final Map<Integer, FrameType> asked = new ConcurrentHashMap<>();
        private Optional<Armed> onceItIsPassed = Optional.empty();

        @Override
        public Fate onFrame(ByteBuffer content, Peer sender) {
            return sender == Peer.CLIENT ? onRequest(content) : onAnswer(content);
        }

        private Fate onRequest(ByteBuffer content) {
            Optional<FrameType> type = FrameType.fromId(content.get(0)).filter(REQUESTS::contains);
            if (type.isEmpty()) {
                return Fate.PASS;
            }
            asked.put(((RequestFrame) FrameCodec.decode(content, Peer.CLIENT)).corr(), type.get());
            Optional<Armed> here = take(type.get(), FramePoint.Moment.ASKED);
            if (here.isPresent()) {
                here.get().spring();
                return here.get().fate();
            }
            onceItIsPassed = take(type.get(), FramePoint.Moment.UNDER_WAY);
            return onceItIsPassed.map(Armed::fate).orElse(Fate.PASS);
        }

        @Override
        public void onPassed(Peer sender) {
            if (sender == Peer.CLIENT) {
                onceItIsPassed.ifPresent(Armed::spring);
                onceItIsPassed = Optional.empty();
            }
        }

        private Fate onAnswer(ByteBuffer content) {
            if (asked.isEmpty()) {
                return Fate.PASS;
            }
            Frame frame = FrameCodec.decode(content, Peer.SERVER);
            if (!(frame instanceof AnswerFrame answer)) {
                return Fate.PASS;
            }
            FrameType request = asked.remove(answer.corr());
            if (request == null || answer instanceof Failure) {
                return Fate.PASS;
            }
            Optional<Armed> here = take(request, FramePoint.Moment.ANSWERED);
            here.ifPresent(Armed::spring);
            return here.map(Armed::fate).orElse(Fate.PASS);
        }
    }
}
