package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AllocateProducerId;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ProducerIdAllocated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The producer id of one connection: asked for at the first send, the same for all its sessions. Confined to the loop. */
final class ProducerIds {

    private final BrokerLink link;
    private final List<IdentityTaker> takers = new ArrayList<>();
    private Optional<ProducerIdentity> given = Optional.empty();

    ProducerIds(BrokerLink link) {
        this.link = link;
    }

    /** See {@link SendRoute#identity}. */
    void identity(ProducerIdentity spent, IdentityTaker taker) {
        if (given.isPresent() && given.get().producerId() != spent.producerId()) {
            taker.onGiven(given.get());
            return;
        }
        takers.add(taker);
        if (takers.size() == 1) {
            link.askWhenReady(AllocateProducerId::new, new ReplyHandler() {
                @Override
                public void onAnswer(AnswerFrame answer) {
                    ProducerIdAllocated allocated = (ProducerIdAllocated) answer;
                    onGiven(new ProducerIdentity(allocated.producerId(), allocated.epoch()));
                }

                @Override
                public void onFailure(LinkException failure) {
                    takeAll().forEach(taker -> taker.onFailed(failure));
                }
            });
        }
    }

    private void onGiven(ProducerIdentity identity) {
        given = Optional.of(identity);
        takeAll().forEach(taker -> taker.onGiven(identity));
    }

    private List<IdentityTaker> takeAll() {
        List<IdentityTaker> now = new ArrayList<>(takers);
        takers.clear();
        return now;
    }
}
