package org.ecstore.tools.shell;

import java.util.List;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;

/**
 * A key as the shell takes it: a tuple, {@code (users, alice)}, text, or bytes, {@code x'0aff'}.
 */
public final class KeyWord {
  private KeyWord() {}

  /**
   * The key that a text stands for.
   *
   * @throws IllegalArgumentException if it is none; it says why
   */
  public static Bytes of(String text) {
    try {
      return key(text);
    } catch (ShellException | WrongArgumentException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static Bytes key(String text) {
    List<Words.Word> words = Words.of(text);
    if (words.size() != 1) {
      throw new IllegalArgumentException(
          text + " is not one key: it has blanks outside quotes and parentheses");
    }
    return switch (words.getFirst()) {
      case Words.Word.Parenthesized(var tuple) -> tuple.encode();
      case Words.Word.Hex(var bytes) -> bytes;
      case Words.Word.Text word -> Words.key(word).encode();
      case Words.Word.Element word -> Words.key(word).encode();
    };
  }
}
