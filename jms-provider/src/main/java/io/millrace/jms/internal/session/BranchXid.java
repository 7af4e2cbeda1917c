package io.millrace.jms.internal.session;

import io.millrace.wire.frame.BranchId;
import java.util.Arrays;
import java.util.HexFormat;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * A branch as the transaction manager sees it.
 *
 * @param branch as it travels
 */
record BranchXid(BranchId branch) implements Xid {

    /**
     * Returns the branch of a transaction manager's Xid.
     *
     * @throws XAException XAER_INVAL if it names no branch
     */
    static BranchId branchOf(@Nullable Xid xid) throws XAException {
        if (xid == null || xid.getFormatId() == -1) {
            throw XaFailures.of(XAException.XAER_INVAL, "There is no Xid, or it is the null Xid");
        }
        return new BranchId(
                xid.getFormatId(),
                part("global transaction id", xid.getGlobalTransactionId()),
                part("branch qualifier", xid.getBranchQualifier()));
    }

    private static String part(String name, byte @Nullable [] bytes) throws XAException {
        if (bytes == null || bytes.length > BranchId.MAX_PART_BYTES) {
            throw XaFailures.of(
                    XAException.XAER_INVAL,
                    "The " + name + " of an Xid has 0 to " + BranchId.MAX_PART_BYTES + " bytes, not "
                            + (bytes == null ? "null" : bytes.length));
        }
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public int getFormatId() {
        return branch.formatId();
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return HexFormat.of().parseHex(branch.globalTransactionId());
    }

    @Override
    public byte[] getBranchQualifier() {
        return HexFormat.of().parseHex(branch.branchQualifier());
    }

    /** Xids of others with the same parts are the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Xid xid
                && xid.getFormatId() == getFormatId()
                && Arrays.equals(xid.getGlobalTransactionId(), getGlobalTransactionId())
                && Arrays.equals(xid.getBranchQualifier(), getBranchQualifier());
    }

    @Override
    public int hashCode() {
        return branch.hashCode();
    }
}
