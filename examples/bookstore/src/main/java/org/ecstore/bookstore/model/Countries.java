package org.ecstore.bookstore.model;

import java.util.List;

/** The ninety-two countries that the shop sends to (TPC-W 1.8, 4.6.2); numbers are from 1. */
public final class Countries {
  private static final List<String> NAMES =
      List.of(
          ("United States,United Kingdom,Canada,Germany,France,Japan,Netherlands,Italy,Switzerland,"
                  + "Australia,Algeria,Argentina,Armenia,Austria,Azerbaijan,Bahamas,Bahrain,"
                  + "Bangladesh,Barbados,Belarus,Belgium,Bermuda,Bolivia,Botswana,Brazil,Bulgaria,"
                  + "Cayman Islands,Chad,Chile,China,Christmas Island,Colombia,Croatia,Cuba,Cyprus,"
                  + "Czech Republic,Denmark,Dominican Republic,Eastern Caribbean,Ecuador,Egypt,"
                  + "El Salvador,Estonia,Ethiopia,Falkland Islands,Faroe Islands,Fiji,Finland,"
                  + "Gabon,Gibraltar,Greece,Guam,Hong Kong,Hungary,Iceland,India,Indonesia,Iran,"
                  + "Iraq,Ireland,Israel,Jamaica,Jordan,Kazakhstan,Kuwait,Lebanon,Luxembourg,"
                  + "Malaysia,Mexico,Mauritius,New Zealand,Norway,Pakistan,Philippines,Poland,"
                  + "Portugal,Romania,Russia,Saudi Arabia,Singapore,Slovakia,South Africa,"
                  + "South Korea,Spain,Sudan,Sweden,Taiwan,Thailand,Trinidad,Turkey,Venezuela,"
                  + "Zambia")
              .split(",", -1));

  private Countries() {}

  /** All names, in the order of their numbers. */
  public static List<String> names() {
    return NAMES;
  }

  /** How many there are. */
  public static int count() {
    return NAMES.size();
  }

  /** The name of a number. */
  public static String name(int number) {
    return NAMES.get(number - 1);
  }
}
