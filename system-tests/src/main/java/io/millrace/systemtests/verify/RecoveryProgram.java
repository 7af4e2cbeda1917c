package io.millrace.systemtests.verify;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import java.io.IOException;
import java.nio.file.Path;

/** Ends what a {@link TransferProgram} of mode XA left in doubt when it was killed: in one pass, and then looks once more. */
public final class RecoveryProgram {

    /** What it prints after a pass, with the number of that and of entries in the log. */
    static final String AFTER_PASS = "after pass %d: %d in the log";

    private static final int PASSES = 2;

    private RecoveryProgram() {}

    /**
     * Runs two passes.
     *
     * @param args url of the broker, name of the node, directory of its log, the database
     */
    public static void main(String[] args) throws IOException {
        TransactionParts parts = new TransactionParts(args[1], args[0], Path.of(args[2]), args[3]);
        parts.configure();
        RecoveryManager manager = parts.recovery(RecoveryManager.DIRECT_MANAGEMENT);
        for (int pass = 1; pass <= PASSES; pass++) {
            manager.scan();
            System.out.printf(AFTER_PASS + "%n", pass, TransactionParts.entries(parts.log()));
        }
        System.exit(0);
    }
}
