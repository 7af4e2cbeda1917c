package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.broker.client.RawTransactions;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchesRecovered;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.PrepareBranch;
import io.millrace.wire.frame.RecoverBranches;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.name.DestinationKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client dies between any two calls: what it had in work is there as a whole or not at all, and nothing stays open. */
class TransactionDeathTest {

    private static final int TIMEOUT_MS = 1_000;

    private static final TestBroker BROKER = TestBroker.start("session.grace.ms", "100");

    private final String name = UUID.randomUUID().toString().substring(0, 8);
    private final RawClient witness = RawClient.inSession(BROKER.port());
    private final DestinationDescribed in = witness.describe(DestinationKind.QUEUE, "in-" + name);
    private final DestinationDescribed out = witness.describe(DestinationKind.QUEUE, "out-" + name);
    private final BranchId branch = new BranchId(7, "0a" + name, "01");
    private final RawTransactions program = new RawTransactions(RawClient.inSession(BROKER.port()));

    @AfterAll
    static void stopBroker() {
        BROKER.close();
    }

    /** Dies when a step has its answer, or as soon as it is sent, without anybody knowing how far it came. */
    enum Death {
        ANSWERED,
        SENT
    }

    /** Counts steps, and ends the program behind the last one that it is granted. */
    private final class Life {
        private final Death death;
        private int left;

        Life(int steps, Death death) {
            this.left = steps;
            this.death = death;
        }

        boolean isOver() {
            return left == 0;
        }

        void step(CompletableFuture<AnswerFrame> call) {
            left--;
            if (left > 0 || death == Death.ANSWERED) {
                RawClient.join(call);
            }
            if (left == 0) {
                program.client().die();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, SENT",
        "1, ANSWERED",
        "2, SENT",
        "2, ANSWERED",
        "3, SENT",
        "3, ANSWERED",
        "4, SENT",
        "4, ANSWERED",
    })
    void shouldLeaveNothingOpenOfASession(int steps, Death death) {
        new RawProducer(witness, 1, in).send("received");
        RawConsumer consumer = RawConsumer.onQueue(program.client(), 1, 1, in, 10);
        RawConsumer.Message message = consumer.receive(1).getFirst();
        TransactionIdentity identity = program.open();
        Life life = new Life(steps, death);
        life.step(program.send(out, identity, "sent"));
        if (!life.isOver()) {
            life.step(program.acknowledge(consumer, message, identity));
        }
        if (!life.isOver()) {
            life.step(program.end(identity, true));
        }
        if (!life.isOver()) {
            // What it begins next is open when it dies.
            life.step(program.send(
                    out, new TransactionIdentity(identity.producerId(), (short) (identity.epoch() + 1)), "never"));
        }
        boolean mayBeCommitted = steps > 3 || (steps == 3 && death == Death.SENT);
        boolean mustBeCommitted = steps > 3 || (steps == 3 && death == Death.ANSWERED);
        assertAllOrNothing(mayBeCommitted || mustBeCommitted, mustBeCommitted);
    }

    @ParameterizedTest
    @CsvSource({
        "1, SENT",
        "1, ANSWERED",
        "2, SENT",
        "2, ANSWERED",
        "3, SENT",
        "3, ANSWERED",
        "4, SENT",
        "4, ANSWERED",
        "5, SENT",
        "5, ANSWERED",
        "6, SENT",
        "6, ANSWERED",
    })
    void shouldLeaveNothingOpenOfABranchButWhatIsPrepared(int steps, Death death) {
        new RawProducer(witness, 1, in).send("received");
        RawConsumer consumer = RawConsumer.onQueue(program.client(), 1, 1, in, 10);
        RawConsumer.Message message = consumer.receive(1).getFirst();
        Life life = new Life(steps, death);
        CompletableFuture<AnswerFrame> started =
                program.client().start(corr -> program.start(corr, branch, TIMEOUT_MS));
        life.step(started);
        if (!life.isOver()) {
            TransactionIdentity identity = RawTransactions.identityOf(RawClient.join(started));
            life.step(program.send(out, identity, "sent"));
            if (!life.isOver()) {
                life.step(program.acknowledge(consumer, message, identity));
            }
        }
        if (!life.isOver()) {
            life.step(program.leave(branch));
        }
        if (!life.isOver()) {
            life.step(program.client().start(corr -> new PrepareBranch(corr, branch)));
        }
        if (!life.isOver()) {
            life.step(program.client().start(corr -> new CommitBranch(corr, branch, false)));
        }
        // The transaction manager's recovery, once what was under way is over.
        await().untilAsserted(
                        () -> assertThat(BROKER.openTransactions()).isSubsetOf("xa:7:0a" + name + ":01 PREPARED"));
        List<BranchId> found =
                witness.request(BranchesRecovered.class, RecoverBranches::new).branches();
        if (steps == 5 && death == Death.ANSWERED) {
            assertThat(found).containsExactly(branch);
        }
        found.forEach(one -> witness.request(Done.class, corr -> new CommitBranch(corr, one, false)));
        boolean decided = (steps == 5 && death == Death.ANSWERED) || steps > 5;
        assertAllOrNothing(steps >= 5, decided);
    }

    private void assertAllOrNothing(boolean mayBeCommitted, boolean mustBeCommitted) {
        await().untilAsserted(() -> assertThat(BROKER.openTransactions()).isEmpty());
        RawConsumer again = RawConsumer.onQueue(witness, 1, 1, in, 10);
        RawConsumer sent = RawConsumer.onQueue(witness, 1, 2, out, 10);
        Set<String> seen = new HashSet<>();
        await().until(() -> {
            again.pull();
            sent.pull();
            witness.deliveryAtHand()
                    .ifPresent(delivery -> RawConsumer.messagesOf(delivery).forEach(one -> seen.add(one.text())));
            return !seen.isEmpty();
        });
        again.pull();
        sent.pull();
        witness.deliveryAtHand()
                .ifPresent(delivery -> RawConsumer.messagesOf(delivery).forEach(one -> seen.add(one.text())));

        assertThat(seen).hasSize(1).doesNotContain("never");
        if (mustBeCommitted) {
            assertThat(seen).containsExactly("sent");
        }
        if (!mayBeCommitted) {
            assertThat(seen).containsExactly("received");
        }
        witness.close();
    }
}
