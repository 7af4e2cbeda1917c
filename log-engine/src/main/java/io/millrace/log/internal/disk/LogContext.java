package io.millrace.log.internal.disk;

import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.sync.Syncer;
import io.millrace.wire.time.TimeSource;

/**
 * What the logs of one data directory share.
 *
 * @param directory the directory
 * @param cache its open files
 * @param syncer makes its files durable
 * @param time clocks
 */
public record LogContext(DataDirectory directory, FileCache cache, Syncer syncer, TimeSource time) {}
