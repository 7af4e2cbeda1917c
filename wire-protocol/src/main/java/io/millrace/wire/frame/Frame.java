package io.millrace.wire.frame;

/** One message of the native protocol. All of them are immutable records; {@link FrameType} lists them. */
public sealed interface Frame
        permits PayloadFrame,
                RequestFrame,
                AnswerFrame,
                Hello,
                HelloOk,
                Login,
                LoginChallenge,
                LoginOk,
                Heartbeat,
                HeartbeatOk,
                Goodbye,
                TransferBegin,
                TransferGrant,
                ConsumerClosed,
                Credit {

    /** Returns the row of the frame table. */
    FrameType type();
}
