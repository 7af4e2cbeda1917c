package io.millrace.broker.internal.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All messages and the transactions that sent and acknowledged them; compares what anybody sees with that. */
final class Ledger {

    private record Message(Trial sender, List<Trial> receivers) {}

    private final Map<String, Message> messages = new HashMap<>();
    private final List<Trial> trials = new ArrayList<>();

    Trial begin(String name) {
        Trial trial = new Trial("transaction " + trials.size() + " of " + name);
        trials.add(trial);
        return trial;
    }

    String newMessage(Trial sender) {
        String text = "m" + messages.size();
        messages.put(text, new Message(sender, new ArrayList<>()));
        sender.sent.add(text);
        return text;
    }

    void acknowledges(Trial receiver, String text) {
        receiver.acknowledged.add(text);
        message(text).receivers.add(receiver);
    }

    private Message message(String text) {
        Message message = messages.get(text);
        if (message == null) {
            throw new AssertionError("a message that nobody sent: " + text);
        }
        return message;
    }

    /** A JMS consumer gets a message. */
    void onDelivered(String text) {
        message(text).sender.mustBeCommitted(text + " is delivered");
        message(text).receivers.forEach(receiver -> receiver.mustBeRolledBack(text + " comes again"));
    }

    /** A reader of committed records sees a message. */
    void onRead(String text) {
        message(text).sender.mustBeCommitted(text + " is read");
    }

    /**
     * All has ended: each transaction happened as a whole or not at all.
     *
     * @param committed what a reader of committed records sees
     * @param available what consumers are given
     */
    void check(Set<String> committed, Set<String> available) {
        Set<String> gone = new HashSet<>();
        for (Trial trial : trials) {
            boolean isCommitted = trial.sent.stream().anyMatch(committed::contains);
            trial.check(
                    trial.sent.stream().allMatch(text -> committed.contains(text) == isCommitted),
                    "is there in part: of " + trial.sent + " there are "
                            + trial.sent.stream().filter(committed::contains).toList());
            trial.check(
                    trial.outcome() != Trial.Outcome.COMMITTED || isCommitted || trial.sent.isEmpty(),
                    "was committed, and is not there");
            trial.check(trial.outcome() != Trial.Outcome.ROLLED_BACK || !isCommitted, "was rolled back, and is there");
            if (isCommitted) {
                for (String text : trial.acknowledged) {
                    trial.check(!available.contains(text), "committed, and " + text + " is there to be received again");
                    trial.check(gone.add(text), "acknowledged " + text + ", which another one did, too");
                }
            }
        }
        List<String> lost = committed.stream()
                .filter(text -> !gone.contains(text) && !available.contains(text))
                .map(text -> text + ", sent by " + message(text).sender + ", acknowledged in what was rolled back: "
                        + message(text).receivers)
                .toList();
        if (!lost.isEmpty()) {
            throw new AssertionError(lost.size() + " messages are lost: " + lost);
        }
        for (String text : available) {
            message(text).sender.check(committed.contains(text), "is not committed, and " + text + " is delivered");
        }
    }
}
