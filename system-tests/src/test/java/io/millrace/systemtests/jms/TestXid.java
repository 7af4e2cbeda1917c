package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** An Xid of a transaction manager, whose parts may be anything. */
final class TestXid implements Xid {

    private final int formatId;
    private final byte @Nullable [] transaction;
    private final byte @Nullable [] branch;

    TestXid(int formatId, byte @Nullable [] transaction, byte @Nullable [] branch) {
        this.formatId = formatId;
        this.transaction = transaction;
        this.branch = branch;
    }

    TestXid(int formatId, String transaction, String branch) {
        this(formatId, transaction.getBytes(StandardCharsets.UTF_8), branch.getBytes(StandardCharsets.UTF_8));
    }

    /** A branch like any other. */
    static Xid xid(String transaction) {
        return new TestXid(77, transaction, "b1");
    }

    @Override
    public int getFormatId() {
        return formatId;
    }

    @Override
    @SuppressWarnings("NullAway") // What a faulty transaction manager does.
    public byte[] getGlobalTransactionId() {
        return transaction;
    }

    @Override
    @SuppressWarnings("NullAway") // What a faulty transaction manager does.
    public byte[] getBranchQualifier() {
        return branch;
    }

    @Override
    public String toString() {
        return formatId + ", parts of " + size(transaction) + " and " + size(branch) + " bytes";
    }

    private static String size(byte @Nullable [] part) {
        return part == null ? "no" : "" + part.length;
    }

    /** Asserts with which error of XA a call fails. */
    static void refused(ThrowingCallable call, int errorCode) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class, why -> assertThat(why.errorCode).isEqualTo(errorCode));
    }
}
