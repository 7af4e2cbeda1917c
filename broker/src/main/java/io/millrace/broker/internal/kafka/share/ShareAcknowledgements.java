package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.partition.ShareAcknowledgement;
import io.millrace.broker.internal.partition.ShareAcknowledgement.Verdict;
import io.millrace.coordinator.cursor.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.ShareFetchRequestData.AcknowledgementBatch;

/** Reads what members of share groups say of their records. */
final class ShareAcknowledgements {

    private static final byte GAP = 0;
    private static final byte ACCEPT = 1;
    private static final byte RELEASE = 2;
    private static final byte REJECT = 3;
    private static final byte RENEW = 4;

    private ShareAcknowledgements() {}

    /**
     * Reads the acknowledgements of one partition.
     *
     * @param mayRenew whether the request says that it renews
     * @throws InvalidRequestException if they make no sense
     */
    static List<ShareAcknowledgement> parse(List<AcknowledgementBatch> batches, boolean mayRenew) {
        List<ShareAcknowledgement> parsed = new ArrayList<>();
        long next = 0;
        for (AcknowledgementBatch batch : batches) {
            long count = batch.lastOffset() - batch.firstOffset() + 1;
            List<Byte> types = batch.acknowledgeTypes();
            if (batch.firstOffset() < next
                    || count < 1
                    || batch.lastOffset() == Long.MAX_VALUE
                    || (types.size() != 1 && types.size() != count)) {
                throw new InvalidRequestException("acknowledgements of offsets " + batch.firstOffset() + " to "
                        + batch.lastOffset() + " with " + types.size() + " types, after offset " + next);
            }
            next = batch.lastOffset() + 1;
            if (types.size() == 1) {
                parsed.add(new ShareAcknowledgement(
                        new OffsetRange(batch.firstOffset(), next), verdict(types.getFirst(), mayRenew)));
            } else {
                addRuns(batch.firstOffset(), types, mayRenew, parsed);
            }
        }
        return parsed;
    }

    private static void addRuns(long firstOffset, List<Byte> types, boolean mayRenew, List<ShareAcknowledgement> to) {
        int from = 0;
        for (int i = 1; i <= types.size(); i++) {
            if (i == types.size() || !types.get(i).equals(types.get(from))) {
                to.add(new ShareAcknowledgement(
                        new OffsetRange(firstOffset + from, firstOffset + i), verdict(types.get(from), mayRenew)));
                from = i;
            }
        }
    }

    private static Verdict verdict(byte type, boolean mayRenew) {
        return switch (type) {
            // Where compaction left no record there is nothing to do any more.
            case GAP, ACCEPT -> Verdict.ACCEPT;
            case RELEASE -> Verdict.RELEASE;
            case REJECT -> Verdict.REJECT;
            case RENEW -> {
                if (!mayRenew) {
                    throw new InvalidRequestException("only a request that says so renews acquisitions");
                }
                yield Verdict.RENEW;
            }
            default -> throw new InvalidRequestException("acknowledge type " + type + ": there are 0 to 4");
        };
    }
}
