package io.millrace.broker.internal.client;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One request and its one answer. Whoever finishes the request answers it, on whatever thread; a second answer is a bug and refused.
 *
 * <p>Until then the request counts against the limits of its connection and session: open requests, and bytes that came in.
 */
public final class Exchange {

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
        finish();
        connection.send(session, frame);
    }

    /** Answers a request that asks for nothing but success. */
    public void done() {
        answer(new Done(corr, session));
    }

    /** Answers that the request failed. */
    public void fail(ErrorCode code, String message) {
        answer(new Failure(corr, session, code, message));
    }

    /** Ends the exchange of a frame that gets no answer. */
    public void finish() {
        if (!finished.compareAndSet(false, true)) {
            throw new IllegalStateException("request " + corr + " of " + connection + " was answered twice");
        }
        release.run();
    }

    /** Returns whether it was answered, so that a catch-all does not answer again. */
    public boolean isFinished() {
        return finished.get();
    }
}
