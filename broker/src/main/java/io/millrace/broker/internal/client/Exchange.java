package io.millrace.broker.internal.client;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its one answer. Whoever finishes the request answers it, on whatever thread. A second answer is a bug; it is dropped and
 * logged, since whoever gives it may be a partition that has others to serve.
 *
 * <p>Until then the request counts against the limits of its connection and session: open requests, and bytes that came in.
 */
public final class Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final ClientConnection connection;
    private final int corr;
    private final int session;
    private final Runnable release;
    private final AtomicBoolean finished = new AtomicBoolean();

    /**
     * Opens an exchange.
     *
     * @param connection where the request came from and the answer goes to
     * @param corr correlation id that the requester chose, echoed in the answer
     * @param session number of the session on the connection, 0 for the connection itself
     * @param release called once when the exchange is finished, to give back what the request took of the limits
     */
    public Exchange(ClientConnection connection, int corr, int session, Runnable release) {
        this.connection = connection;
        this.corr = corr;
        this.session = session;
        this.release = release;
    }

    public ClientConnection connection() {
        return connection;
    }

    public int corr() {
        return corr;
    }

    public int session() {
        return session;
    }

    /** Answers with the frame that the request asks for. */
    public void answer(AnswerFrame frame) {
        if (finish()) {
            connection.send(session, frame);
        } else {
            LOG.error(
                    "Request {} of {} was answered again, by {}: this is a bug in the broker",
                    corr,
                    connection,
                    frame.type());
        }
    }

    /** Answers a request that asks for nothing but success. */
    public void done() {
        answer(new Done(corr, session));
    }

    /** Answers that the request failed. */
    public void fail(ErrorCode code, String message) {
        answer(new Failure(corr, session, code, message));
    }

    /**
     * Ends the exchange of a frame that gets no answer.
     *
     * @return whether it was open
     */
    public boolean finish() {
        boolean open = finished.compareAndSet(false, true);
        if (open) {
            release.run();
        }
        return open;
    }

    /** Returns whether it was answered, so that a catch-all does not answer again. */
    public boolean isFinished() {
        return finished.get();
    }
}
