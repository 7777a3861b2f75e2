package org.ecstore.tools.terminal;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.model.NodeTraits;
import org.jspecify.annotations.Nullable;

/** The options {@code --class}, {@code --price} and {@code --capacity}. */
public final class NodeClasses {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
  private static final BigDecimal PRICE_MAX = new BigDecimal(1_000_000);
  private static final int PRICE_DIGITS = 9;
  private static final BigDecimal CAPACITY_MAX = new BigDecimal("9999.99");
  private static final int CAPACITY_DIGITS = 2;
  private static final int SHOWN_SCALE = 30;
  private static final MathContext SHOWN = new MathContext(SHOWN_SCALE);

  private NodeClasses() {}

  /**
   * What they ask for; what is not given is as usual.
   *
   * @throws BadInputException with all that is wrong
   */
  public static NodeClass of(
      @Nullable String name, @Nullable BigDecimal price, @Nullable BigDecimal capacity) {
    List<String> faults = faults(name, price, capacity);
    if (!faults.isEmpty()) {
      throw new BadInputException(String.join("; ", faults));
    }
    return new NodeClass(
        name == null ? NodeTraits.STANDARD : name,
        Optional.ofNullable(price).map(NodeClasses::plain),
        Optional.ofNullable(capacity).map(NodeClasses::plain));
  }

  /** What is wrong with them, a line each. */
  public static List<String> faults(
      @Nullable String name, @Nullable BigDecimal price, @Nullable BigDecimal capacity) {
    List<String> faults = new ArrayList<>();
    if (name != null && !NAME.matcher(name).matches()) {
      faults.add(
          "--class is letters, digits, \".\", \"_\" and \"-\", 64 at most, not \"%s\""
              .formatted(name));
    }
    if (price != null && !isWithin(price, BigDecimal.ZERO, PRICE_MAX, PRICE_DIGITS)) {
      faults.add(
          "--price is from 0 to %s, with %d digits behind the point at most, not %s"
              .formatted(PRICE_MAX, PRICE_DIGITS, shown(price)));
    }
    if (capacity != null
        && !isWithin(capacity, NodeTraits.Capacity.LEAST, CAPACITY_MAX, CAPACITY_DIGITS)) {
      faults.add(
          "--capacity is from %s to %s, with %d digits behind the point at most, not %s"
              .formatted(
                  NodeTraits.Capacity.LEAST, CAPACITY_MAX, CAPACITY_DIGITS, shown(capacity)));
    }
    return faults;
  }

  private static boolean isWithin(BigDecimal given, BigDecimal least, BigDecimal most, int digits) {
    return given.compareTo(least) >= 0
        && given.compareTo(most) <= 0
        && given.stripTrailingZeros().scale() <= digits;
  }

  /** Without its noughts where there are many: 1E+999999999 would be a gigabyte of them. */
  private static String shown(BigDecimal given) {
    return Math.abs((long) given.scale()) > SHOWN_SCALE
        ? given.round(SHOWN).toString()
        : given.toPlainString();
  }

  /** 0.20 is 0.2, and 100 is not 1E+2. */
  private static BigDecimal plain(BigDecimal given) {
    return new BigDecimal(given.stripTrailingZeros().toPlainString());
  }
}
