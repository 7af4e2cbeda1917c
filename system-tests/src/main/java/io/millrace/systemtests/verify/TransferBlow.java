package io.millrace.systemtests.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** One way to hurt a transfer. */
sealed interface TransferBlow {

    /** Who is killed. */
    enum Victim {
        BROKER,
        PROGRAM,
        DATABASE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns who is killed. */
    Victim victim();

    /** At a random moment. */
    record AtRandom(Victim victim) implements TransferBlow {
        @Override
        public String toString() {
            return "at a random moment";
        }
    }

    /** A program ends itself between two steps. */
    record OfProgram(CrashPoint point) implements TransferBlow {
        @Override
        public Victim victim() {
            return Victim.PROGRAM;
        }

        @Override
        public String toString() {
            return point.toString();
        }
    }

    /** The broker is killed at a frame. */
    record OfBroker(FramePoint point) implements TransferBlow {
        @Override
        public Victim victim() {
            return Victim.BROKER;
        }

        @Override
        public String toString() {
            return point.toString();
        }
    }

    /** Returns all named points of a mode once, in random order, with kills at random moments in between: the longest way without a repetition. */
    static List<TransferBlow> cycle(TransferMode mode, RandomGenerator random) {
        List<TransferBlow> named = new ArrayList<>();
        FramePoint.all(mode).forEach(point -> named.add(new OfBroker(point)));
        if (mode == TransferMode.XA) {
            CrashPoint.all().forEach(point -> named.add(new OfProgram(point)));
        }
        for (int i = named.size() - 1; i > 0; i--) {
            TransferBlow last = named.get(i);
            int other = random.nextInt(i + 1);
            named.set(i, named.get(other));
            named.set(other, last);
        }
        List<Victim> victims =
                mode == TransferMode.XA ? List.of(Victim.values()) : List.of(Victim.BROKER, Victim.PROGRAM);
        List<TransferBlow> cycle = new ArrayList<>();
        for (Victim victim : victims) {
            cycle.add(new AtRandom(victim));
        }
        for (TransferBlow blow : named) {
            cycle.add(blow);
            if (random.nextInt(3) == 0) {
                cycle.add(new AtRandom(victims.get(random.nextInt(victims.size()))));
            }
        }
        return cycle;
    }
}
