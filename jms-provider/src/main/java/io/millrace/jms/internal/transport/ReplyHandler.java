package io.millrace.jms.internal.transport;

import io.millrace.wire.frame.AnswerFrame;

/** Takes the outcome of one request, on the loop, exactly once. */
public interface ReplyHandler {

    /** The answer that belongs to the request; never {@link io.millrace.wire.frame.Failure}. */
    void onAnswer(AnswerFrame answer);

    /** A {@link RequestRefusedException} if the server refused, else one that says why there is no answer. */
    void onFailure(LinkException failure);
}
