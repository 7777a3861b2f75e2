package org.ecstore.server.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.key.Bytes;

/** Reads files that are short if they are what they should be, and never more of any other. */
public final class SmallFiles {
  private SmallFiles() {}

  /**
   * All of a file, of a pipe or a device too.
   *
   * @param bytesMax at least 0
   * @throws FileSystemException if it is a directory, or longer: what a path names need not say its
   *     length, or end
   */
  public static Bytes read(Path file, int bytesMax) throws IOException {
    FileErrors.mustBeFile(file);
    byte[] read;
    try (InputStream in = Files.newInputStream(file)) {
      read = in.readNBytes(bytesMax + 1);
    }
    if (read.length > bytesMax) {
      throw new FileSystemException(
          file.toString(), null, "has more than " + bytesMax + " bytes: it is another file");
    }
    return Bytes.wrap(read);
  }

  /**
   * As above, as text in UTF-8.
   *
   * @throws FileSystemException if it is no text, too
   */
  public static String readText(Path file, int bytesMax) throws IOException {
    Bytes read = read(file, bytesMax);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read.array())).toString();
    } catch (CharacterCodingException e) {
      throw new FileSystemException(file.toString(), null, "is no text in UTF-8");
    }
  }
}
