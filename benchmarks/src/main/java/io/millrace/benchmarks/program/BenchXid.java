package io.millrace.benchmarks.program;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.transaction.xa.Xid;

/** The name of a branch: a global part of its own for each, since each is a transaction of its own. */
final class BenchXid implements Xid {
    private static final int FORMAT_ID = 0x6d72;
    private static final byte[] QUALIFIER = {1};

    private final byte[] global;

    private BenchXid(byte[] global) {
        this.global = global;
    }

    /** Makes the name of a thread's transaction of this number. */
    static BenchXid of(String thread, long number) {
        byte[] global = (number + "-" + thread).getBytes(StandardCharsets.UTF_8);
        return new BenchXid(global.length <= MAXGTRIDSIZE ? global : Arrays.copyOf(global, MAXGTRIDSIZE));
    }

    @Override
    public int getFormatId() {
        return FORMAT_ID;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return global.clone();
    }

    @Override
    public byte[] getBranchQualifier() {
        return QUALIFIER.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BenchXid xid && Arrays.equals(global, xid.global);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(global);
    }

    @Override
    public String toString() {
        return new String(global, StandardCharsets.UTF_8);
    }
}
