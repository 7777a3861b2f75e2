package org.ecstore.cluster.bookkeeper;

/** Whether a process runs at present. */
interface FakeProcess {
  boolean isAlive();

  /** Until when it does nothing; a time in the past if it runs. */
  long pausedUntilNanos();

  /** Until when its messages do not come through; a time in the past if they do. */
  long cutUntilNanos();

  /** One that runs for ever. */
  FakeProcess ALWAYS =
      new FakeProcess() {
        @Override
        public boolean isAlive() {
          return true;
        }

        @Override
        public long pausedUntilNanos() {
          return 0;
        }

        @Override
        public long cutUntilNanos() {
          return 0;
        }
      };
}
