package io.millrace.systemtests.verify;

import io.millrace.wire.frame.FrameType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A moment in which the broker is killed, or a connection cut, as what passes between both shows it.
 *
 * @param request which request of a client
 */
record FramePoint(FrameType request, Moment moment) {

    /** How far the request has come. */
    enum Moment {
        /** The broker has not seen it. */
        ASKED,
        /** The broker has it, and may have done some of it. */
        UNDER_WAY,
        /** The broker has done it, and the client has not heard so. */
        ANSWERED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    static List<FramePoint> all(TransferMode mode) {
        Stream<FrameType> requests = switch (mode) {
            case JMS -> Stream.of(FrameType.END_TRANSACTION);
            case KAFKA -> Stream.of();
            case XA ->
                Stream.of(
                        FrameType.END_BRANCH,
                        FrameType.PREPARE_BRANCH,
                        FrameType.COMMIT_BRANCH,
                        FrameType.ROLLBACK_BRANCH);
        };
        return requests.flatMap(
                        request -> Arrays.stream(Moment.values()).map(moment -> new FramePoint(request, moment)))
                .toList();
    }

    @Override
    public String toString() {
        return request.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + moment;
    }
}
