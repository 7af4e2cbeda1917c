package io.millrace.coordinator.cursor;

/** A cursor that may lend up to a horizon once the record of that horizon is safe. */
record HorizonStep(Lending cursor, long horizon) {}
