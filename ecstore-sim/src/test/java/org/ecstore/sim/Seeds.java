package org.ecstore.sim;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The seeds of a parameterized test, from one on: a few with each build, a quarter of them where
 * slow tests are left out, and more in the long version ({@code -Decstore.long=true}).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(Seeds.Provider.class)
@interface Seeds {
  /** How many with each build that has slow tests too. */
  int few();

  /** How many in the long version. */
  int many();

  /** Gives them. */
  final class Provider implements ArgumentsProvider, AnnotationConsumer<Seeds> {
    private long last;

    /** How many there are, of as many as with each build, and in the long version. */
    static int count(int few, int many) {
      if (Boolean.getBoolean("ecstore.long")) {
        return many;
      }
      boolean isQuick = System.getProperty("ecstore.leftOut", "").contains("slow");
      return isQuick ? Math.max(1, few / 4) : few;
    }

    @Override
    public void accept(Seeds seeds) {
      last = count(seeds.few(), seeds.many());
    }

    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      return LongStream.rangeClosed(1, last).mapToObj(Arguments::of);
    }
  }
}
