package io.millrace.broker.internal.destination;

import io.millrace.broker.internal.destination.PartitionSimulation.Client;
import io.millrace.broker.internal.destination.PartitionSimulation.Held;
import io.millrace.broker.internal.destination.PartitionSimulation.Message;
import io.millrace.broker.internal.partition.AcknowledgedRecords;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.Participants.Ending;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.Compression;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Transactions of a {@link PartitionSimulation}, with a coordinator that remembers which ones it committed, over all crashes, and nothing
 * else. What is sent in one must not be seen before it is committed, and never if it is not; what was acknowledged in one that is committed
 * must never come again.
 */
final class SimulatedTransactions {

    private static final int SLOTS = 2;

    private static final class Transaction {
        private final ProducerIdentity identity;
        private final List<String> sent = new ArrayList<>();
        private final List<String> acknowledged = new ArrayList<>();
        /** Logs that have anything of it and were not told its end durably. */
        private final Set<Part> parts = EnumSet.noneOf(Part.class);

        private boolean ending;
        private boolean committed;
        private int unsecured;

        Transaction(ProducerIdentity identity) {
            this.identity = identity;
        }
    }

    private final PartitionSimulation simulation;
    private final SplittableRandom random;
    private final Transaction[] slots = new Transaction[SLOTS];
    /** Committed, and not known by all. */
    private final List<Transaction> decided = new ArrayList<>();

    private long nextProducer = 100;
    private int nextText;

    // What a run did, so that a test can see that it was worth something.
    final Map<String, Integer> did = new HashMap<>();

    SimulatedTransactions(PartitionSimulation simulation, SplittableRandom random) {
        this.simulation = simulation;
        this.random = random;
        for (int slot = 0; slot < SLOTS; slot++) {
            slots[slot] = next();
        }
    }

    private Transaction next() {
        return new Transaction(new ProducerIdentity(nextProducer++, (short) 0));
    }

    // ---- what happens ---------------------------------------------------------------------------------------------

    void act(int dice, Client client) {
        int slot = random.nextInt(SLOTS);
        Transaction transaction = slots[slot];
        if (dice < 40) {
            send(transaction);
        } else if (dice < 75) {
            acknowledge(transaction, client);
        } else if (dice < 90) {
            end(transaction, random.nextInt(3) > 0);
        } else if (dice < 95) {
            leave(slot);
        } else {
            askAboutOpen();
        }
    }

    private void send(Transaction transaction) {
        if (transaction.ending) {
            return;
        }
        List<String> texts = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            String text = "t" + nextText++ + "y".repeat(random.nextInt(60));
            Message message = new Message();
            message.undecided = true;
            simulation.messages.put(text, message);
            texts.add(text);
        }
        int sequence = transaction.sent.size();
        transaction.sent.addAll(texts);
        transaction.parts.add(Part.DATA);
        Compression compression = random.nextInt(4) == 0 ? Compression.GZIP : Compression.NONE;
        simulation
                .partition()
                .append(
                        simulation.batch(texts, compression, transaction.identity, sequence, true),
                        simulation.leaderEpoch(),
                        true,
                        new SendReply() {
                            @Override
                            public void onStored(long baseOffset) {
                                simulation.onStored(texts, baseOffset);
                            }

                            @Override
                            public void onFailed(ErrorCode code, String message) {
                                onlyInACrash("send in a transaction", code, message);
                            }
                        });
    }

    private void acknowledge(Transaction transaction, Client client) {
        if (transaction.ending || client.held.isEmpty()) {
            return;
        }
        Held held = client.held.remove(random.nextInt(client.held.size()));
        Message message = simulation.message(held.text());
        message.holder = null;
        message.pending = true;
        transaction.acknowledged.add(held.text());
        transaction.parts.add(Part.CURSOR);
        AcknowledgedRecords records = new AcknowledgedRecords(
                CursorId.QUEUE, client.key, simulation.identity(held), List.of(OffsetRange.of(held.offset())));
        simulation.partition().transactions().acknowledge(List.of(records), transaction.identity, new Reply<>() {
            @Override
            public void onDone(List<List<OffsetRange>> refused) {
                PartitionSimulation.check(
                        refused.getFirst().isEmpty(), "acknowledgement of " + held.text() + " refused");
            }

            @Override
            public void onFailed(ErrorCode code, String why) {
                onlyInACrash("acknowledgement in a transaction", code, why);
            }
        });
    }

    private void end(Transaction transaction, boolean commit) {
        if (transaction.ending || transaction.parts.isEmpty()) {
            return;
        }
        transaction.ending = true;
        if (!commit) {
            forget(transaction);
            tell(transaction);
            did("roll back");
            return;
        }
        transaction.unsecured = transaction.parts.size();
        for (Part part : List.copyOf(transaction.parts)) {
            simulation.partition().transactions().secure(part, transaction.identity, reply("secure", secured -> {
                PartitionSimulation.check(secured, transaction.identity + " is not open in " + part);
                if (--transaction.unsecured == 0) {
                    decide(transaction);
                }
            }));
        }
    }

    private void decide(Transaction transaction) {
        transaction.committed = true;
        decided.add(transaction);
        for (String text : transaction.sent) {
            Message message = simulation.message(text);
            message.undecided = false;
            message.answered = true;
        }
        for (String text : transaction.acknowledged) {
            Message message = simulation.message(text);
            message.pending = false;
            message.acknowledged = true;
            message.maybeAcknowledged = true;
        }
        tell(transaction);
        did("commit");
    }

    /** It is rolled back, by whoever finds it: nobody may see what it sent, and what it acknowledged may come again. */
    private void forget(Transaction transaction) {
        for (String text : transaction.sent) {
            Message message = simulation.message(text);
            message.undecided = false;
            message.aborted = true;
        }
        transaction.acknowledged.forEach(text -> simulation.message(text).pending = false);
    }

    private void tell(Transaction transaction) {
        for (Part part : List.copyOf(transaction.parts)) {
            Ending ending = new Ending(transaction.identity, transaction.identity.bumped(), transaction.committed, 1);
            simulation
                    .partition()
                    .transactions()
                    .end(part, ending, reply("end", done -> {}), reply("durable end", done -> {
                        transaction.parts.remove(part);
                        if (transaction.parts.isEmpty()) {
                            onKnownByAll(transaction);
                        }
                    }));
        }
    }

    private void onKnownByAll(Transaction transaction) {
        decided.remove(transaction);
        for (int slot = 0; slot < SLOTS; slot++) {
            if (slots[slot] == transaction) {
                slots[slot] = new Transaction(transaction.identity.bumped());
            }
        }
    }

    /** Whoever wrote is gone without a word; the next one has the next epoch. */
    private void leave(int slot) {
        if (!slots[slot].ending && !slots[slot].parts.isEmpty()) {
            forget(slots[slot]);
            slots[slot] = new Transaction(slots[slot].identity.bumped());
            did("leave");
        }
    }

    private void askAboutOpen() {
        for (Part part : Part.values()) {
            for (ProducerIdentity open : simulation.partition().transactions().open(part)) {
                boolean known = decided.stream().anyMatch(transaction -> transaction.identity.equals(open));
                for (Transaction transaction : slots) {
                    known |= transaction.identity.equals(open);
                }
                if (!known) {
                    simulation.partition().transactions().abandon(part, open, reply("abandon", done -> {}));
                    did("abandon");
                }
            }
        }
    }

    // ---- crashes and the end --------------------------------------------------------------------------------------

    /** The coordinator has lost what it did not commit. */
    void onCrash() {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (!slots[slot].committed) {
                forget(slots[slot]);
            }
            slots[slot] = next();
        }
    }

    void onRecovered() {
        List.copyOf(decided).forEach(transaction -> {
            tell(transaction);
            did("tell again");
        });
    }

    /** Ends whatever is open. */
    void finish() {
        for (Transaction transaction : slots) {
            end(transaction, true);
        }
        askAboutOpen();
    }

    boolean isDone() {
        boolean done = decided.isEmpty();
        for (Part part : Part.values()) {
            done &= simulation.partition().transactions().open(part).isEmpty();
        }
        return done;
    }

    private Reply<Boolean> reply(String what, Consumer<Boolean> onDone) {
        return new Reply<>() {
            @Override
            public void onDone(Boolean done) {
                onDone.accept(done);
            }

            @Override
            public void onFailed(ErrorCode code, String why) {
                onlyInACrash(what, code, why);
            }
        };
    }

    private void onlyInACrash(String what, ErrorCode code, String why) {
        PartitionSimulation.check(simulation.isDown(), what + " failed though nothing is broken: " + code + " " + why);
    }

    private void did(String what) {
        did.merge(what, 1, Integer::sum);
    }
}
