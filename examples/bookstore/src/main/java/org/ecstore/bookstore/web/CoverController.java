package org.ecstore.bookstore.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.model.Item;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves covers. What is written on them never changes, so that the data is asked for a book once
 * as long as it is one of the last that were asked for, and browsers keep each cover.
 */
@RestController
class CoverController {
  private static final MediaType SVG = new MediaType("image", "svg+xml");
  private static final Duration KEPT = Duration.ofDays(365);
  private static final int WORDINGS_MAX = 10_000;

  private final Bookstore shop;

  /** By the number of the book, the one that was asked for longest ago first. */
  private final LinkedHashMap<Long, Wording> wordings = new LinkedHashMap<>(16, 0.75f, true);

  CoverController(Bookstore shop) {
    this.shop = shop;
  }

  /** A name that is none of a picture is not found, and one of no book neither. */
  @GetMapping("/covers/{size:small|large}-{item:[0-9]{1,18}}{design:(?:-[0-9]{1,9})?}.svg")
  ResponseEntity<byte[]> cover(
      @PathVariable("size") String size,
      @PathVariable("item") long item,
      @PathVariable("design") String design) {
    Wording wording = wording(item);
    String svg = Covers.svg(size + "-" + item + design, wording.title(), wording.author());
    return ResponseEntity.ok()
        .contentType(SVG)
        .cacheControl(CacheControl.maxAge(KEPT).cachePublic().immutable())
        .body(svg.getBytes(StandardCharsets.UTF_8));
  }

  private Wording wording(long item) {
    return kept(item)
        .orElseGet(
            () ->
                shop.product(item)
                    .map(product -> keep(product.item()))
                    .orElseThrow(() -> new NotThereException("There is no book " + item)));
  }

  private Optional<Wording> kept(long item) {
    synchronized (wordings) {
      return Optional.ofNullable(wordings.get(item));
    }
  }

  private Wording keep(Item item) {
    Wording wording =
        new Wording(item.title(), item.authorFirstName() + " " + item.authorLastName());
    synchronized (wordings) {
      wordings.put(item.id(), wording);
      if (wordings.size() > WORDINGS_MAX) {
        wordings.remove(wordings.sequencedKeySet().getFirst());
      }
    }
    return wording;
  }

  /** What is written on a cover. */
  private record Wording(String title, String author) {}
}
