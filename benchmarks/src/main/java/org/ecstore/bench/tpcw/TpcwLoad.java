package org.ecstore.bench.tpcw;

import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.Pace;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.bookstore.web.Signature;

/** Emulated browsers that use a shop by a mix. */
public final class TpcwLoad implements Load {
  private static final double SECOND = 1e9;

  private final TpcwMix mix;
  private final boolean thinks;
  private final long seed;
  private final RateOverTime rate;
  private final Map<String, Long> told = new ConcurrentHashMap<>();
  private final BiFunction<Visitors, Map<String, Long>, ShopPages> pages;
  private final TpcwPopulation population;

  private TpcwLoad(
      How how,
      TpcwPopulation population,
      BiFunction<Visitors, Map<String, Long>, ShopPages> pages) {
    this.mix = how.mix();
    this.thinks = how.thinks();
    this.seed = how.seed();
    this.rate = new RateOverTime(how.seconds());
    this.population = population;
    this.pages = pages;
  }

  /**
   * How browsers browse.
   *
   * @param thinks whether they take their time between pages; not where a rate says when
   * @param seconds how long all of it takes, about
   */
  public record How(TpcwMix mix, boolean thinks, int seconds, long seed) {
    /** For as long as a run is that has a pace: longer, and seconds without pages would follow. */
    public static How of(TpcwMix mix, boolean thinks, Pace pace, long seed) {
      double seconds = pace.warmUp().plus(pace.measured()).toNanos() / SECOND;
      return new How(mix, thinks, (int) Math.ceil(seconds), seed);
    }
  }

  /** On the data of a shop, without pages. */
  public static TpcwLoad onData(How how, TpcwPopulation population, Bookstore shop) {
    return new TpcwLoad(
        how, population, (visitors, told) -> new DataPages(shop, visitors, told::put));
  }

  /**
   * On the pages of a shop.
   *
   * @param root of its addresses
   */
  public static TpcwLoad onPages(
      How how, TpcwPopulation population, HttpClient client, URI root, StartedShop shop) {
    Signature signature = shop.signature();
    return new TpcwLoad(
        how,
        population,
        (visitors, told) ->
            new HtmlPages(new PageBrowser(client, root), visitors, signature, told::put));
  }

  @Override
  public Client client(int number, int clients) {
    Visitors visitors = new Visitors(new SplittableRandom(seed * 1_000_003 + number), population);
    return new EmulatedBrowser(
        mix,
        thinks,
        new SplittableRandom(seed * 1_000_003 - number - 1),
        pages.apply(visitors, told),
        rate::count);
  }

  /** The orders that buyers were told of, by their forms. */
  public Map<String, Long> told() {
    return Map.copyOf(told);
  }

  /**
   * The longest time in which no page came, in whole seconds.
   *
   * @param from the first second that counts
   */
  public int longestPause(int from) {
    return rate.longestPause(from);
  }

  /** Pages in each second since this was made. */
  public List<Long> bySecond() {
    return rate.bySecond();
  }
}
