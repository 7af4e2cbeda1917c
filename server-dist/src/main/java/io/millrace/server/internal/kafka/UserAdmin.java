package io.millrace.server.internal.kafka;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.admin.UserScramCredentialsDescription;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.ResourceNotFoundException;

/**
 * Adds, changes and deletes the users that the cluster keeps, as kafka-configs does (KIP-554): a user is a credential for each SCRAM mechanism.
 * What the broker gets of a password is salted and hashed here.
 */
public final class UserAdmin implements AutoCloseable {
    /** What kafka-configs takes, and what the broker shows of users that there are not: others would tell that a user exists. */
    private static final int ITERATIONS = 4_096;

    /** The stronger first: a user who got only the first of them can log in. */
    private static final List<ScramMechanism> MECHANISMS =
            List.of(ScramMechanism.SCRAM_SHA_512, ScramMechanism.SCRAM_SHA_256);

    private final KafkaCluster cluster;
    private final Admin admin;

    public UserAdmin(KafkaCluster cluster) {
        this.cluster = cluster;
        this.admin = cluster.admin();
    }

    /** One way for a user to log in. */
    public record Credential(String mechanism, int iterations) {}

    /** A user and how he can log in. */
    public record User(String name, List<Credential> credentials) {}

    /** Returns all users, by name. */
    public List<User> list() throws InterruptedException {
        return told(
                        "see users",
                        "DESCRIBE",
                        () -> cluster.await(admin.describeUserScramCredentials().all()))
                .values()
                .stream()
                .map(UserAdmin::user)
                .sorted(Comparator.comparing(User::name))
                .toList();
    }

    /** Returns a user, or nothing if there is none of the name. */
    public Optional<User> find(String name) throws InterruptedException {
        try {
            return Optional.of(user(told(
                    "see users",
                    "DESCRIBE",
                    () -> cluster.await(
                            admin.describeUserScramCredentials(List.of(name)).description(name)))));
        } catch (KafkaCallException failed) {
            if (failed.getCause() instanceof ResourceNotFoundException) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    private static User user(UserScramCredentialsDescription description) {
        return new User(
                description.name(),
                description.credentialInfos().stream()
                        .map(info -> new Credential(info.mechanism().mechanismName(), info.iterations()))
                        .sorted(Comparator.comparing(Credential::mechanism))
                        .toList());
    }

    /**
     * Gives a user a password, whether there was one or not.
     *
     * @throws KafkaCallException if it was refused; the message says so when it counts for one mechanism already
     */
    public void setPassword(String name, char[] password) throws InterruptedException {
        byte[] bytes = String.valueOf(password).getBytes(StandardCharsets.UTF_8);
        try {
            for (ScramMechanism mechanism : MECHANISMS) {
                try {
                    alter(new UserScramCredentialUpsertion(
                            name, new ScramCredentialInfo(mechanism, ITERATIONS), bytes.clone()));
                } catch (KafkaCallException failed) {
                    throw mechanism == MECHANISMS.getFirst()
                            ? failed
                            : new KafkaCallException(
                                    "the password of " + name + " is set for "
                                            + MECHANISMS.getFirst().mechanismName()
                                            + " only; run `millrace users passwd` again: " + failed.getMessage(),
                                    failed);
                }
            }
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Deletes a user, by whatever mechanisms he can log in.
     *
     * @return whether there was one
     */
    public boolean delete(String name) throws InterruptedException {
        Optional<User> found = find(name);
        if (found.isEmpty()) {
            return false;
        }
        List<ScramMechanism> left = new ArrayList<>();
        found.get().credentials().forEach(one -> left.add(ScramMechanism.fromMechanismName(one.mechanism())));
        for (ScramMechanism mechanism : left) {
            try {
                alter(new UserScramCredentialDeletion(name, mechanism));
            } catch (KafkaCallException failed) {
                // Somebody else deletes him too.
                if (!(failed.getCause() instanceof ResourceNotFoundException)) {
                    throw failed;
                }
            }
        }
        return true;
    }

    /** The broker takes one change of a user in a request. */
    private void alter(UserScramCredentialAlteration change) throws InterruptedException {
        told(
                "change users",
                "ALTER",
                () -> cluster.await(
                        admin.alterUserScramCredentials(List.of(change)).all()));
    }

    @FunctionalInterface
    private interface Call<T> {
        T make() throws InterruptedException;
    }

    private static <T> T told(String what, String operation, Call<T> call) throws InterruptedException {
        try {
            return call.make();
        } catch (KafkaCallException failed) {
            if (failed.getCause() instanceof ClusterAuthorizationException) {
                throw new KafkaCallException(
                        "you may not " + what + ": that takes a super user, or the operation " + operation
                                + " on the cluster (kafka-acls.sh --add --cluster --operation " + operation
                                + " --allow-principal User:NAME)",
                        failed);
            }
            throw failed;
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
