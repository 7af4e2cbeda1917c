package io.millrace.jms.internal.transport;

import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferSplitter;
import java.util.HashMap;
import java.util.Map;

/**
 * Large frames on their way out. Each waits for its grant, and then sends the next chunk when the one before has left for the socket, so
 * that other frames get in between and no more than a chunk of each is queued. Confined to the loop.
 */
final class OutgoingTransfers {

    private final Output output;
    private final Map<Integer, Transfer> waitingForGrant = new HashMap<>();
    private int lastTransferId;

    interface Output {
        void write(Frame frame, Runnable sent);
    }

    private record Transfer(TransferSplitter chunks, Runnable sent) {}

    OutgoingTransfers(Output output) {
        this.output = output;
    }

    /** Returns what announces the transfer. */
    TransferBegin begin(Frame frame, Runnable sent) {
        lastTransferId++;
        TransferSplitter chunks = new TransferSplitter(lastTransferId, frame);
        waitingForGrant.put(lastTransferId, new Transfer(chunks, sent));
        return chunks.begin();
    }

    /** A grant that belongs to nothing is passed over: it does no harm. */
    void onGrant(int transferId) {
        Transfer granted = waitingForGrant.remove(transferId);
        if (granted != null) {
            sendNext(granted);
        }
    }

    private void sendNext(Transfer transfer) {
        output.write(transfer.chunks.next(), () -> {
            if (transfer.chunks.hasNext()) {
                sendNext(transfer);
            } else {
                transfer.sent.run();
            }
        });
    }
}
