package io.millrace.systemtests.verify;

import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Moves messages from one place to another until it is killed, some in each transaction. Whatever goes wrong, it begins anew: what a transaction
 * is for. What it is told on its standard input, {@link TransferOrders} obey.
 */
public final class TransferProgram {

    static final String FROM = "transfer.from";
    static final String TO = "transfer.to";
    static final int MOST_IN_ONE = 20;
    static final long WAIT_MS = 200;

    private static final int ONE_IN = 10;

    /**
     * Who moves.
     *
     * @param port where the broker is to be reached
     * @param name another for each program, and the same whenever it is started again
     * @param random all its chances
     */
    record Mover(int port, String name, SplittableRandom random, TransferOrders orders) {
        String url() {
            return "millrace://127.0.0.1:" + port;
        }

        /** How many to move in the next transaction. */
        int some() {
            return 1 + random.nextInt(MOST_IN_ONE);
        }

        boolean rollsBack() {
            return random.nextInt(ONE_IN) == 0;
        }

        void beginAnew(Exception why) {
            System.out.println(name + " begins anew: " + why);
        }
    }

    private TransferProgram() {}

    /**
     * Runs until it is killed, or told to end.
     *
     * @param args mode, port, name, seed; for XA the directory of the transaction manager's log and the database too
     */
    public static void main(String[] args) {
        Mover mover = new Mover(
                Integer.parseInt(args[1]),
                args[2],
                VerifyCommand.chance(Long.parseLong(args[3])),
                TransferOrders.fromStandardInput());
        switch (TransferMode.valueOf(args[0])) {
            case JMS -> new JmsTransfer(mover).run();
            case KAFKA -> new KafkaTransfer(mover).run();
            case XA ->
                new XaTransfer(mover, new TransactionParts(mover.name(), mover.url(), Path.of(args[4]), args[5])).run();
        }
        System.exit(0);
    }
}
