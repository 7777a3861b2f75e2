package org.ecstore.bookstore.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Serves covers. */
@RestController
class CoverController {
  private static final MediaType SVG = new MediaType("image", "svg+xml");
  private static final Duration KEPT = Duration.ofDays(365);

  /** A name that is none of a picture is not found. */
  @GetMapping("/covers/{name:(?:small|large)-[0-9]{1,18}(?:-[0-9]{1,9})?}.svg")
  ResponseEntity<byte[]> cover(@PathVariable("name") String name) {
    return ResponseEntity.ok()
        .contentType(SVG)
        .cacheControl(CacheControl.maxAge(KEPT).cachePublic().immutable())
        .body(Covers.svg(name).getBytes(StandardCharsets.UTF_8));
  }
}
