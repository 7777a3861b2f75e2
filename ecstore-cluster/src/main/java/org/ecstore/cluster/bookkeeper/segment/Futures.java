package org.ecstore.cluster.bookkeeper.segment;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.check.Check;
import org.jspecify.annotations.Nullable;

/** Steps that follow one another on the owner's thread, each when a library has answered. */
public final class Futures {
  private Futures() {}

  /** Goes on with the result; a failure ends the whole. */
  public static <T, R> CompletableFuture<R> then(
      CompletionStage<T> stage, Owner owner, Function<T, CompletableFuture<R>> next) {
    return stage.thenComposeAsync(next, owner).toCompletableFuture();
  }

  /** Goes on with the result or the failure, of which one is absent. */
  public static <T, R> CompletableFuture<R> handle(
      CompletionStage<T> stage,
      Owner owner,
      BiFunction<@Nullable T, @Nullable Throwable, CompletableFuture<R>> next) {
    return stage
        .handleAsync(
            (result, failure) -> next.apply(result, failure == null ? null : cause(failure)), owner)
        .thenCompose(Function.identity())
        .toCompletableFuture();
  }

  /**
   * Ends with something that takes the result or the failure, of which one is absent. A failure
   * that is a bug of these steps, or an error of the machine, is then the owner's to hear of, as if
   * its own task had thrown it: another try would meet it again.
   */
  public static <T> void last(
      CompletionStage<T> stage, Owner owner, BiConsumer<@Nullable T, @Nullable Throwable> end) {
    CompletionStage<T> _ =
        stage.whenComplete(
            (result, failure) ->
                owner.execute(() -> ends(result, failure == null ? null : cause(failure), end)));
  }

  private static <T> void ends(
      @Nullable T result,
      @Nullable Throwable failure,
      BiConsumer<@Nullable T, @Nullable Throwable> end) {
    end.accept(result, failure);
    if (failure instanceof Check.Failed bug) {
      throw bug;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }

  /** Whatever comes of it. */
  public static void forget(CompletionStage<?> stage) {
    CompletionStage<?> _ = stage.exceptionally(_ -> null);
  }

  /** Goes on after a while. */
  public static <R> CompletableFuture<R> later(
      Owner owner, long millis, Supplier<CompletableFuture<R>> next) {
    CompletableFuture<Void> pause = new CompletableFuture<>();
    owner.after(millis, () -> pause.complete(null));
    return pause.thenCompose(_ -> next.get());
  }

  /** The same, or a {@link TimeoutException} if it has not ended after a while. */
  public static <T> CompletableFuture<T> within(
      Owner owner, long millis, CompletionStage<T> stage) {
    CompletableFuture<T> result = stage.toCompletableFuture().copy();
    Runnable done =
        owner.unlessCalledOff(
            millis, () -> result.completeExceptionally(new TimeoutException("no answer in time")));
    CompletableFuture<T> _ = result.whenComplete((_, _) -> done.run());
    return result;
  }

  /** What a future really failed with. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
