package io.millrace.broker.internal.simulation;

/** Consumes all that is there. */
final class Drain extends NativeClient {

    Drain(SimulatedWorld world) {
        super(world, "drain");
    }

    @Override
    public void act() {}

    @Override
    void onLost() {}

    @Override
    public void settle() {}

    @Override
    public boolean isDone() {
        return true;
    }
}
