package io.millrace.broker.internal.handler;

import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.Xid;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.TransactionIdentity;

/** Identities of transactions as they travel and as the coordinator has them. */
final class TransactionIdentities {

    private TransactionIdentities() {}

    static TransactionIdentity toWire(ProducerIdentity identity) {
        return new TransactionIdentity(identity.id(), identity.epoch());
    }

    static ProducerIdentity fromWire(TransactionIdentity identity) {
        return new ProducerIdentity(identity.producerId(), identity.epoch());
    }

    static BranchId toWire(Xid xid) {
        return new BranchId(xid.formatId(), xid.globalTransactionId(), xid.branchQualifier());
    }

    static Xid fromWire(BranchId branch) {
        return new Xid(branch.formatId(), branch.globalTransactionId(), branch.branchQualifier());
    }
}
