package io.millrace.systemtests.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

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

    private static List<Victim> victims(TransferMode mode) {
        return mode == TransferMode.XA ? List.of(Victim.values()) : List.of(Victim.BROKER, Victim.PROGRAM);
    }

    /** Returns all that there are for a mode, in the order of what they are about. */
    static List<TransferBlow> all(TransferMode mode) {
        List<TransferBlow> all = new ArrayList<>();
        victims(mode).forEach(victim -> all.add(new AtRandom(victim)));
        FramePoint.all(mode).forEach(point -> all.add(new OfBroker(point)));
        if (mode == TransferMode.XA) {
            CrashPoint.all().forEach(point -> all.add(new OfProgram(point)));
        }
        return all;
    }

    /**
     * Returns all named points of a mode once, in random order, with kills at random moments in between. Those of the broker and those of programs are
     * spread evenly, so that a short run has some of both.
     */
    static List<TransferBlow> cycle(TransferMode mode, RandomGenerator random) {
        List<TransferBlow> named =
                new ArrayList<>(mixed(FramePoint.all(mode).stream().<TransferBlow>map(OfBroker::new), random));
        if (mode == TransferMode.XA) {
            List<TransferBlow> ofPrograms = mixed(CrashPoint.all().stream().<TransferBlow>map(OfProgram::new), random);
            int ofBroker = named.size();
            for (int i = 0; i < ofPrograms.size(); i++) {
                // Behind as many of the broker as are its share.
                named.add(i + (i + 1) * ofBroker / (ofPrograms.size() + 1), ofPrograms.get(i));
            }
        }
        List<Victim> victims = victims(mode);
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

    private static List<TransferBlow> mixed(Stream<TransferBlow> blows, RandomGenerator random) {
        List<TransferBlow> mixed = new ArrayList<>();
        blows.forEach(blow -> mixed.add(random.nextInt(mixed.size() + 1), blow));
        return mixed;
    }
}
