package io.millrace.log.internal.verify;

/** What to do about what was found. */
final class Remedy {
    static final String START = "the next start mends it, and so does `millrace log verify --repair`";
    static final String REPAIR = "`millrace log verify --repair` mends it, and nothing is lost";
    static final String JOURNAL = "the next start writes them there";
    static final String SEE_OFFSETS = "see the offsets that are reported as lost";

    /** What it costs to go on without a part of a cursor log; see the replay of cursors. */
    static final String WITHOUT_CURSOR_RECORDS =
            "No message is lost with them: what was acknowledged by them comes again,"
                    + " and a queue or subscription whose cursor was created by them begins at the start of its log; redeliveries say so";

    private Remedy() {}

    static String acceptLoss(String offsets) {
        return "restore the file from a replica or a backup; where there is none, `millrace log verify --repair --accept-loss` moves"
                + " the damaged bytes aside and makes the log usable again without " + offsets;
    }
}
