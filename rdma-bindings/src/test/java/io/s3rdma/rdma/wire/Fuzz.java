package io.s3rdma.rdma.wire;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs a property over random inputs: a number of rounds with fixed seeds, or, where {@code
 * s3rdma.fuzz.seconds} is set, for that time with fresh ones. Each round has a seed of its own; a
 * failure names it, and {@code s3rdma.fuzz.seed} begins with it. A round that does not end fails
 * too.
 */
public final class Fuzz {
  private static final String SECONDS = "s3rdma.fuzz.seconds";
  private static final String SEED = "s3rdma.fuzz.seed";
  private static final long FIXED_SEED = 0x5333_5244_4d41L;
  private static final int HANG_SECONDS = 30;
  private static final int EDITS_MAX = 4;
  private static final String AWKWARD = " +%/&=?;~!*'()<>\"\\#:,";

  /** One input and what must hold of it. */
  @FunctionalInterface
  public interface Round {
    void check(SplittableRandom random) throws Exception;
  }

  private Fuzz() {}

  public static void run(String what, int rounds, Round round) {
    String seconds = System.getProperty(SECONDS);
    long first = seconds == null ? FIXED_SEED : System.nanoTime();
    first = Long.getLong(SEED, first);
    long nanos =
        seconds == null ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(Long.parseLong(seconds));
    long most = seconds == null ? rounds : Long.MAX_VALUE;
    AtomicLong seed = new AtomicLong(first);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(() -> loop(most, nanos, seed, round, failure), "fuzz-" + what);
    thread.setDaemon(true);
    thread.start();
    join(what, thread, seed);
    if (failure.get() != null) {
      throw new AssertionError(failed(what, seed), failure.get());
    }
    if (seconds != null) {
      System.out.println("fuzz " + what + ": " + (seed.get() - first) + " inputs held");
    }
  }

  @SuppressWarnings("CatchingUnchecked") // an Error is a failure of the round as well
  private static void loop(
      long most, long nanos, AtomicLong seed, Round round, AtomicReference<Throwable> failure) {
    long started = System.nanoTime();
    for (long i = 0; i < most && System.nanoTime() - started < nanos; i++) {
      try {
        round.check(new SplittableRandom(seed.get()));
      } catch (Throwable e) {
        failure.set(e);
        return;
      }
      seed.incrementAndGet();
    }
  }

  private static void join(String what, Thread thread, AtomicLong seed) {
    try {
      long before;
      do {
        before = seed.get();
        thread.join(TimeUnit.SECONDS.toMillis(HANG_SECONDS));
      } while (thread.isAlive() && seed.get() != before);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    if (thread.isAlive()) {
      AssertionError hang = new AssertionError(failed(what, seed) + ": the round does not end");
      hang.setStackTrace(thread.getStackTrace());
      throw hang;
    }
  }

  private static String failed(String what, AtomicLong seed) {
    return "fuzz " + what + " failed; begin with it by -D" + SEED + "=" + seed.get();
  }

  /** A few edits of single characters or of words out of {@code words}. */
  public static String mutate(SplittableRandom random, String good, String... words) {
    StringBuilder text = new StringBuilder(good);
    int edits = 1 + random.nextInt(EDITS_MAX);
    for (int i = 0; i < edits; i++) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + 1 + random.nextInt(4));
      switch (random.nextInt(8)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, text.substring(at, end));
        case 2 -> text.setLength(at);
        case 3 -> text.insert(at, (char) random.nextInt(256));
        case 4 -> text.replace(at, end, one(random, words));
        case 5 -> text.insert(at, one(random, words));
        case 6 -> text.append(text, at, text.length());
        default -> text.replace(at, end, String.valueOf((char) (33 + random.nextInt(94))));
      }
    }
    return text.length() > 1 << 16 ? text.substring(0, 1 << 16) : text.toString();
  }

  /** Text of any characters that Unicode has, with the awkward ones more often. */
  public static String text(SplittableRandom random, int lengthMax) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(lengthMax + 1);
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(
          switch (random.nextInt(6)) {
            case 0 -> AWKWARD.charAt(random.nextInt(AWKWARD.length()));
            case 1 -> 0xa0 + random.nextInt(0x700);
            case 2 -> 0x1f300 + random.nextInt(0x300);
            default -> 'a' + random.nextInt(26);
          });
    }
    return text.toString();
  }

  /** One of the choices. */
  @SafeVarargs
  public static <T> T one(SplittableRandom random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
