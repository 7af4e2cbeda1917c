package io.millrace.jms.narayana;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A resource whose prepared branches survive the program: a file for each. Like those of brokers and databases it cannot be serialized. */
class FileResource implements XAResource {

    private static final HexFormat HEX = HexFormat.of();

    private final Path directory;

    FileResource(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    private record FileXid(int format, String global, String branch) implements Xid {

        private static FileXid of(Path file) {
            String[] parts = file.getFileName().toString().split("_", -1);
            return new FileXid(Integer.parseInt(parts[0]), parts[1], parts[2]);
        }

        @Override
        public int getFormatId() {
            return format;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return HEX.parseHex(global);
        }

        @Override
        public byte[] getBranchQualifier() {
            return HEX.parseHex(branch);
        }
    }

    private Path file(Xid xid) {
        return directory.resolve(xid.getFormatId() + "_" + HEX.formatHex(xid.getGlobalTransactionId()) + "_"
                + HEX.formatHex(xid.getBranchQualifier()));
    }

    static long prepared(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int prepare(Xid xid) {
        try {
            Files.createFile(file(xid));
            return XA_OK;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        if (!onePhase) {
            end(xid);
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        end(xid);
    }

    private void end(Xid xid) throws XAException {
        try {
            if (!Files.deleteIfExists(file(xid))) {
                throw new XAException(XAException.XAER_NOTA);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        if ((flag & TMSTARTRSCAN) == 0) {
            return new Xid[0];
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(FileXid::of).toArray(Xid[]::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void start(Xid xid, int flags) {}

    @Override
    public void end(Xid xid, int flags) {}

    @Override
    public void forget(Xid xid) {}

    @Override
    public boolean isSameRM(XAResource other) {
        return other instanceof FileResource resource && resource.directory.equals(directory);
    }

    @Override
    public int getTransactionTimeout() {
        return 60;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return true;
    }
}
