package org.ecstore.bookstore.population;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** SearchWords for titles, names and texts of any length, so that people can read them. */
final class Vocabulary {
  private static final List<String> ADJECTIVES =
      words(
          "amber ancient blue bitter bright broken burning calm careful cold crimson curious daring"
              + " deep distant early electric empty endless faithful fallen famous fearless final"
              + " first forgotten fragile gentle golden graceful green hidden hollow honest hungry"
              + " infinite invisible iron jealous last little lonely long lost lucky modern narrow"
              + " northern obedient open ordinary pale patient perfect plain quiet rapid restless"
              + " royal sacred salt scarlet second secret seventh shallow silent silver simple"
              + " sleepless slow small southern stolen strange stubborn sudden thirsty tired true"
              + " uncommon unfinished velvet wandering western white wild winter wooden young");
  private static final List<String> NOUNS =
      words(
          "acrobat algorithm almanac anchor apprentice archive arrow atlas autumn baker ballad"
              + " beacon bicycle border bread bridge butterfly candle captain cathedral century"
              + " chair chemist child circus city clock cloud coast compass cook cradle crow"
              + " daughter desert detective diary door dragon dream echo emperor engine equation"
              + " exile falcon feather ferry field fire forest fountain fox frontier galaxy garden"
              + " gardener ghost glacier glass harbor harvest heart history horizon horse hour"
              + " house hunter island journey judge kingdom kitchen ladder lake lamp language"
              + " lantern letter library lighthouse machine magician map market mathematics meadow"
              + " memory merchant midnight mirror mountain museum music neighbor night number ocean"
              + " orchard orchestra painter paper path pianist pilot pirate planet poet prince"
              + " promise puzzle queen question railway rain recipe republic river road rose sailor"
              + " salt school science sea season secret shadow shepherd ship silence sister sky"
              + " snow soldier song sparrow spring star station stone storm stranger street summer"
              + " sun table tailor teacher theater thief thunder tide tiger tower town traveler"
              + " tree valley village violin voyage watchmaker water whale wind window winter"
              + " witness wolf word world writer year");
  private static final List<String> FIRST_NAMES =
      words(
          "ada adrian agnes albert alma amelia anton arthur astrid august beatrice benedict bertha"
              + " boris carla cecilia charles clara conrad cora daniel diana dorothy edgar edith"
              + " elena elias emil emma ernest esther eva felix flora frances frederick george"
              + " gloria grace greta gustav hannah harold helen henry hugo ida igor irene isaac"
              + " ivan jacob jane joseph julia karl kate laura leo leonard lydia magnus margaret"
              + " martha martin matilda max nadia nathan nina nora oscar otto paula peter philip"
              + " rachel ralph robert rosa rudolf ruth samuel sarah sophia stella theodore thomas"
              + " ursula vera victor viola walter wilhelm yvonne");
  private static final List<String> LAST_BEGINNINGS =
      words(
          "al ander ash bar bell berg black brook carl caster clay cob cor craw dal dun eber ell"
              + " fair far fen fern gar gold grim hal ham har hart hay hol hunt ing kel kirk lang"
              + " lind lock mar mell mil mon nor oak ober old pem pen quin rams red rich rod ros"
              + " sand shel silver stan sten stone sum tan thorn til under val van wal war wes"
              + " white win wood wor");
  private static final List<String> LAST_ENDINGS =
      words(
          "bach berg bert born bridge burg by cott dale den dorf eng er feld field ford gate ham"
              + " hardt hold hurst ing ker land ler ley low man mann mark mere mont more ner ning"
              + " quist ridge rose sen shaw side sky smith son stead stein stone ström ton tree"
              + " vale ville wald ward way well wick wood worth");
  private static final List<String> VERBS =
      words(
          "answers asks becomes believes builds carries changes crosses discovers draws explains"
              + " finds follows forgets gives hears hides invents keeps learns leaves loses loves"
              + " meets needs opens paints reads remembers saves sees seeks sells sends sings"
              + " steals teaches tells understands visits waits watches writes");

  private Vocabulary() {}

  private static List<String> words(String text) {
    return List.of(text.split(" ", -1));
  }

  private static String one(List<String> of, RandomGenerator random) {
    return of.get(random.nextInt(of.size()));
  }

  private static String large(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  /** A title of 14 to 60 characters. */
  static String title(RandomGenerator random) {
    String adjective = large(one(ADJECTIVES, random));
    String noun = large(one(NOUNS, random));
    String other = large(one(NOUNS, random));
    String title =
        switch (random.nextInt(6)) {
          case 0 -> "The " + adjective + " " + noun;
          case 1 -> "The " + noun + " of the " + adjective + " " + other;
          case 2 -> "A " + noun + " for the " + adjective + " " + other;
          case 3 -> adjective + " " + noun + ", " + large(one(ADJECTIVES, random)) + " " + other;
          case 4 -> "My " + adjective + " " + noun + " and the " + other;
          default -> "The " + noun + " and the " + other;
        };
    return title.length() < 14 ? title + ": A Story" : title;
  }

  /** A first name. */
  static String firstName(RandomGenerator random) {
    return large(one(FIRST_NAMES, random));
  }

  /** A last name of 4 to 14 characters. */
  static String lastName(RandomGenerator random) {
    return large(one(LAST_BEGINNINGS, random) + one(LAST_ENDINGS, random));
  }

  /** Some words with a large letter: a publisher, a street, a city. */
  static String name(int least, int most, RandomGenerator random) {
    StringBuilder name = new StringBuilder(large(one(ADJECTIVES, random)));
    while (name.length() < least) {
      name.append(' ').append(large(one(NOUNS, random)));
    }
    return cut(name, most);
  }

  /** Sentences, of a length drawn between two. */
  static String text(int least, int most, RandomGenerator random) {
    int length = random.nextInt(least, most + 1);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(text.isEmpty() ? "The " : " The ")
          .append(one(ADJECTIVES, random))
          .append(' ')
          .append(one(NOUNS, random))
          .append(' ')
          .append(one(VERBS, random))
          .append(" the ")
          .append(one(NOUNS, random))
          .append('.');
    }
    // As long as was drawn, without a space at its end.
    return text.charAt(length - 1) == ' '
        ? text.substring(0, length - 1) + "."
        : text.substring(0, length);
  }

  private static String cut(StringBuilder text, int most) {
    return text.substring(0, Math.min(text.length(), most)).strip();
  }
}
