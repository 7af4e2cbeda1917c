package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.message.MillraceMessage;

/**
 * A message that this client holds until it is acknowledged or released. Immutable; passed from the loop to the application's threads and
 * back.
 */
public final class HeldMessage {

    private final MillraceMessage message;
    private final Acquisition acquisition;
    private final int index;
    private final int sizeBytes;

    HeldMessage(MillraceMessage message, Acquisition acquisition, int index, int sizeBytes) {
        this.message = message;
        this.acquisition = acquisition;
        this.index = index;
        this.sizeBytes = sizeBytes;
    }

    /** Returns the message as the application sees it. */
    public MillraceMessage message() {
        return message;
    }

    /** Returns what stands for the same loan, with the message in other eyes. */
    public HeldMessage as(MillraceMessage other) {
        return new HeldMessage(other, acquisition, index, sizeBytes);
    }

    Acquisition acquisition() {
        return acquisition;
    }

    int index() {
        return index;
    }

    int sizeBytes() {
        return sizeBytes;
    }
}
