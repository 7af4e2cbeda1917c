package io.millrace.log;

import java.util.ArrayList;
import java.util.List;

/** Remembers what a log said about its durability. */
public final class RecordingSyncListener implements SyncListener {
    public final List<Long> synced = new ArrayList<>();
    public final List<StorageException> failures = new ArrayList<>();

    @Override
    public void onSynced(long syncedOffset) {
        synced.add(syncedOffset);
    }

    @Override
    public void onSyncFailed(StorageException failure) {
        failures.add(failure);
    }
}
