package io.millrace.log.internal.verify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to become of a segment: which holes are filled, where it ends, and up to which offset it is filled there. */
final class SegmentPlan {
    private static final long NO_FILL = -1;

    private final SegmentSurvey survey;
    private final List<SegmentSurvey.Hole> fills = new ArrayList<>();
    private SegmentSurvey.@Nullable Hole cut;
    private boolean tailLost;
    private long fillTo = NO_FILL;
    private long completedTo;

    SegmentPlan(SegmentSurvey survey) {
        this.survey = survey;
    }

    SegmentSurvey survey() {
        return survey;
    }

    long baseOffset() {
        return survey.baseOffset();
    }

    /** A hole's offsets stay, without records. */
    void fill(SegmentSurvey.Hole hole) {
        fills.add(hole);
    }

    /** Everything from a hole on goes. */
    void cutAt(SegmentSurvey.Hole hole) {
        cut = hole;
    }

    /** What goes there was synced. */
    void tailIsLost() {
        tailLost = true;
    }

    boolean isCut() {
        return cut != null;
    }

    /** The offsets up to this one are there at the end, without records. */
    void fillTo(long offset) {
        fillTo = offset;
    }

    List<SegmentSurvey.Hole> fills() {
        return fills;
    }

    long fillTo() {
        return fillTo;
    }

    boolean isFilledAtEnd() {
        return fillTo != NO_FILL;
    }

    /** Where what stays of the file ends. */
    int keptBytes() {
        return cut == null ? survey.endPosition() : cut.from();
    }

    /** Offset after what stays. */
    long keptOffset() {
        return cut == null ? survey.nextOffset() : cut.firstOffset();
    }

    /** Offset at which the segment ends when the plan is done. */
    long endOffset() {
        return Math.max(completedTo, fillTo == NO_FILL ? keptOffset() : fillTo);
    }

    /** The next start writes what is missing up to this offset. */
    void completedTo(long offset) {
        completedTo = offset;
    }

    boolean losesNothing() {
        return fills.isEmpty() && !tailLost && fillTo == NO_FILL;
    }

    boolean changesFile() {
        return !losesNothing() || cut != null || !survey.mends().isEmpty();
    }
}
