package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Well-formed cursor records of all kinds. */
final class CursorRecordArbitraries {

    private CursorRecordArbitraries() {}

    static Arbitrary<CursorRecord> records() {
        Arbitrary<CursorId> ids = Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
                .as((high, low) -> new CursorId(new UUID(high, low)));
        Arbitrary<Long> offsets = Arbitraries.longs().between(0, Long.MAX_VALUE / 2);
        Arbitrary<Integer> counts = Arbitraries.integers().between(0, Integer.MAX_VALUE);
        Arbitrary<ProducerIdentity> transactions = Combinators.combine(
                        offsets, Arbitraries.shorts().between((short) 0, Short.MAX_VALUE))
                .as(ProducerIdentity::new);
        return Arbitraries.oneOf(
                Combinators.combine(ids, transactions, ranges(1)).as(CursorRecord.PendingAcknowledged::new),
                Combinators.combine(transactions, Arbitraries.of(true, false)).as(CursorRecord.TransactionEnded::new),
                Combinators.combine(ids, transactions, ranges(1)).as(CursorRecord.ImagePending::new),
                Combinators.combine(ids, offsets, offsets)
                        .as((id, a, b) -> new CursorRecord.Created(id, Math.min(a, b), Math.max(a, b))),
                Combinators.combine(ids, ranges(1)).as(CursorRecord.Acknowledged::new),
                Combinators.combine(ids, attempts(1)).as(CursorRecord.Attempts::new),
                Combinators.combine(ids, offsets, offsets)
                        .as((id, a, b) -> new CursorRecord.Horizon(id, Math.max(a, b), Math.min(a, b))),
                Combinators.combine(ids, offsets).as(CursorRecord.Moved::new),
                ids.map(CursorRecord.Deleted::new),
                Combinators.combine(offsets, counts).as(CursorRecord.Truncated::new),
                counts.map(CursorRecord.ImageBegin::new),
                Combinators.combine(ids, offsets, offsets, ranges(0), attempts(0))
                        .as(CursorRecordArbitraries::part),
                Combinators.combine(counts, counts).as(CursorRecord.ImageEnd::new));
    }

    private static CursorRecord part(
            CursorId id, long a, long b, List<OffsetRange> acknowledged, List<AttemptRange> attempts) {
        long start = acknowledged.isEmpty() ? 0 : acknowledged.getFirst().firstOffset() - 1;
        if (!attempts.isEmpty()) {
            start = Math.min(start, attempts.getFirst().range().firstOffset());
        }
        return new CursorRecord.ImagePart(id, start, Math.max(a, b), Math.min(a, b), acknowledged, attempts);
    }

    private static Arbitrary<List<OffsetRange>> ranges(int atLeast) {
        return Combinators.combine(distances(), distances())
                .as((gap, length) -> OffsetRange.ofCount(gap, length))
                .list()
                .ofMinSize(atLeast)
                .ofMaxSize(20)
                .map(CursorRecordArbitraries::oneAfterTheOther);
    }

    private static Arbitrary<List<AttemptRange>> attempts(int atLeast) {
        Arbitrary<Integer> counts = Arbitraries.integers().between(0, AttemptRange.MAX_ATTEMPTS);
        return Combinators.combine(ranges(atLeast), counts, Arbitraries.of(true, false))
                .as((ranges, count, guessed) -> ranges.stream()
                        .map(range -> new AttemptRange(range, (int) ((count + range.count()) % 1_000), guessed))
                        .toList());
    }

    /** Takes the first offset of each range as the gap after the one before. */
    private static List<OffsetRange> oneAfterTheOther(List<OffsetRange> pieces) {
        List<OffsetRange> ranges = new ArrayList<>();
        long end = 0;
        for (OffsetRange piece : pieces) {
            ranges.add(OffsetRange.ofCount(end + piece.firstOffset(), piece.count()));
            end = ranges.getLast().endOffset();
        }
        return ranges;
    }

    private static Arbitrary<Long> distances() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(1, 300), Arbitraries.longs().between(1, 1L << 50));
    }
}
