package io.millrace.jms.internal.consumer;

import io.millrace.wire.MillraceException;
import io.millrace.wire.frame.Deliver;

/** A delivery does not hold a record that it promises: the server breaks the protocol, and the socket is useless. */
final class MissingRecordException extends MillraceException {

    MissingRecordException(Deliver frame, long offset) {
        super(
                Category.FATAL,
                "Delivery " + frame.acquisition() + " of partition " + frame.partition() + " at base offset "
                        + frame.baseOffset() + " lacks the record with offset " + offset);
    }
}
