package io.millrace.systemtests.verify;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** {@code FS_IOC_SHUTDOWN} of Linux: a file system stops as if its machine had. */
final class FileSystemShutdown {
    /** {@code _IOR('X', 125, __u32)}. */
    private static final long FS_IOC_SHUTDOWN = 0x8004587dL;

    /** Without writing the journal. */
    private static final int NO_LOG_FLUSH = 2;

    private static final int READ_ONLY = 0;

    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT), 2);
    private static final MethodHandle IOCTL = function(
            "ioctl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
            2);
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), 1);

    private FileSystemShutdown() {}

    // The JDK has no ioctl(2).
    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor descriptor, int fixedArguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), descriptor, Linker.Option.firstVariadicArg(fixedArguments));
    }

    /**
     * Stops the file system that a directory is in.
     *
     * @throws IOException if it has no such thing, or we are not root
     */
    static void now(Path directory) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(directory.toString()), READ_ONLY);
            if (descriptor < 0) {
                throw new IOException("cannot open " + directory);
            }
            MemorySegment flags = arena.allocateFrom(ValueLayout.JAVA_INT, NO_LOG_FLUSH);
            int result = (int) IOCTL.invokeExact(descriptor, FS_IOC_SHUTDOWN, flags);
            int closed = (int) CLOSE.invokeExact(descriptor);
            if (result != 0 || closed != 0) {
                throw new IOException("cannot shut down the file system of " + directory);
            }
        } catch (IOException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError("the C library cannot be called", impossible);
        }
    }
}
