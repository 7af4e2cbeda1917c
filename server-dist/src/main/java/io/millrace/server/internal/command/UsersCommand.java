package io.millrace.server.internal.command;

import io.millrace.server.internal.kafka.UserAdmin;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace users}. */
@Command(
        name = "users",
        mixinStandardHelpOptions = true,
        header = "Adds, changes, deletes and lists users who log in with a password.",
        description = {
            "They are kept by the cluster and can log in at once, by JMS and by Kafka's protocol, on listeners that take logins. kafka-configs.sh "
                    + "sees the same users. What they may do is said by kafka-acls.sh, about User:NAME.",
            "",
            "  millrace users add ann                           asks for the password",
            "  millrace users add ann --password-file secret    takes the first line of the file",
            "  openssl rand -base64 24 | tee secret | millrace users passwd ann",
            "  millrace users list --client-config admin.properties",
            ""
        },
        subcommands = {
            UsersCommand.Add.class,
            UsersCommand.Passwd.class,
            UsersCommand.Delete.class,
            UsersCommand.ListAll.class
        })
final class UsersCommand extends CommandGroup {
    UsersCommand() {
        super("What to do? `%s add|passwd|delete|list`, for example `%s list`.");
    }

    /** The frame of the subcommands: connects, works, prints. */
    abstract static class Action implements Callable<Integer> {
        @Mixin
        private KafkaOptions kafka = new KafkaOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException, InterruptedException {
            check();
            try (UserAdmin admin = new UserAdmin(kafka.cluster())) {
                run(admin, json);
            }
            return ExitCode.OK;
        }

        /** Refuses what makes no sense before anybody is connected to. */
        void check() {}

        abstract void run(UserAdmin admin, JsonOption json) throws IOException, InterruptedException;
    }

    /** What is about one user. */
    abstract static class OfOne extends Action {
        @Parameters(paramLabel = "NAME", description = "The user's name, without 'User:'.")
        private String name = "";

        String name() {
            return name;
        }

        @Override
        void check() {
            UserName.checked(name);
        }

        static CommandFailure unknown(String name) {
            return new CommandFailure(
                    ExitCode.FAILURE,
                    "there is no user " + name + "; `millrace users list` shows who there is. Users of the broker's"
                            + " configuration are changed there");
        }
    }

    /** {@code add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            header = "Adds a user, who may do nothing yet where access control lists count.")
    static final class Add extends OfOne {
        @Mixin
        private NewPassword password = new NewPassword();

        @Override
        void run(UserAdmin admin, JsonOption json) throws IOException, InterruptedException {
            if (admin.find(name()).isPresent()) {
                throw new CommandFailure(
                        ExitCode.FAILURE,
                        "there is a user " + name() + " already; `millrace users passwd` gives a new password");
            }
            set(admin, name(), password);
            json.print(Map.of("user", name()), text -> text.printf("added user %s%n", name()));
        }
    }

    /** {@code passwd}. */
    @Command(
            name = "passwd",
            mixinStandardHelpOptions = true,
            header = "Gives a user a new password.",
            description = {"Connections that are open stay open: the password is asked for when somebody logs in.", ""})
    static final class Passwd extends OfOne {
        @Mixin
        private NewPassword password = new NewPassword();

        @Override
        void run(UserAdmin admin, JsonOption json) throws IOException, InterruptedException {
            if (admin.find(name()).isEmpty()) {
                throw unknown(name());
            }
            set(admin, name(), password);
            json.print(Map.of("user", name()), text -> text.printf("changed the password of user %s%n", name()));
        }
    }

    private static void set(UserAdmin admin, String name, NewPassword source) throws IOException, InterruptedException {
        char[] password = source.read(name);
        try {
            admin.setPassword(name, password);
        } finally {
            Arrays.fill(password, ' ');
        }
    }

    /** {@code delete}. */
    @Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            header = "Deletes a user, who can log in no more.",
            description = {
                "Connections that are open stay open until they are lost or, with connections.max.reauth.ms, until Kafka clients must log in again; "
                        + "to stop them at once, take the rights away with kafka-acls.sh too. Lists that name the user stay: a user "
                        + "of that name who is added later has those rights.",
                ""
            })
    static final class Delete extends OfOne {
        @Override
        void run(UserAdmin admin, JsonOption json) throws InterruptedException {
            if (!admin.delete(name())) {
                throw unknown(name());
            }
            json.print(Map.of("user", name()), text -> text.printf("deleted user %s%n", name()));
        }
    }

    /** {@code list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            header = "Lists users and how they can log in.",
            description = {"Users of the broker's configuration (plain.sasl.jaas.config) are not among them.", ""})
    static final class ListAll extends Action {
        @Override
        void run(UserAdmin admin, JsonOption json) throws InterruptedException {
            List<UserAdmin.User> users = admin.list();
            json.print(users, text -> {
                text.printf("%-32s %s%n", "USER", "MECHANISMS");
                users.forEach(user -> text.printf(
                        "%-32s %s%n",
                        user.name(),
                        user.credentials().stream()
                                .map(UserAdmin.Credential::mechanism)
                                .collect(Collectors.joining(", "))));
            });
        }
    }
}
