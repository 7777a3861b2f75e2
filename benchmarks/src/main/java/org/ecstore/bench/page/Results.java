package org.ecstore.bench.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is found in files of JSON: any object that looks like a result, however deep, and what is
 * said of the stores around them. For one thread.
 */
public final class Results {
  /** Differs between runs without being another way to run the store. */
  private static final String ADDRESS = "at";

  private record Found(String store, Map<String, String> settings, JsonNode json) {}

  private final List<Found> found = new ArrayList<>();
  private final Map<String, String> unavailable = new LinkedHashMap<>();
  private final Map<String, Integer> failed = new LinkedHashMap<>();

  /**
   * Adds all that is in a file: JSON values, one after the other.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public void add(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(file + " is a directory: give the files in it");
    }
    ObjectMapper mapper = new ObjectMapper();
    try (MappingIterator<JsonNode> values =
        mapper.readerFor(JsonNode.class).readValues(Files.readString(file))) {
      while (values.hasNextValue()) {
        collect(values.nextValue(), Map.of());
      }
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is no JSON: it is no text", e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          file
              + " is no JSON: "
              + e.getOriginalMessage()
              + " at line "
              + e.getLocation().getLineNr(),
          e);
    }
  }

  private void collect(JsonNode json, Map<String, Map<String, String>> around) {
    if (json.path("unavailable").isTextual() && json.path("store").isTextual()) {
      unavailable.put(json.get("store").asText(), json.get("unavailable").asText());
    } else if (json.path("failed").isTextual() && json.path("workload").isTextual()) {
      failed.merge(
          "%s, %s: %s"
              .formatted(
                  json.path("store").asText("store"),
                  json.get("workload").asText(),
                  json.get("failed").asText()),
          1,
          Integer::sum);
    } else if (Result.looksLike(json)) {
      String store = json.path("store").asText("store");
      Map<String, String> settings = new LinkedHashMap<>(around.getOrDefault(store, Map.of()));
      Result.settings(json).forEach(settings::putIfAbsent);
      found.add(new Found(store, settings, json));
    } else {
      Map<String, Map<String, String>> stores = new LinkedHashMap<>(around);
      json.path("stores")
          .properties()
          .forEach(entry -> said(entry.getKey(), entry.getValue(), stores));
      for (JsonNode each : json) {
        collect(each, stores);
      }
    }
  }

  private void said(String store, JsonNode of, Map<String, Map<String, String>> stores) {
    if (of.path("unavailable").isTextual()) {
      unavailable.put(store, of.get("unavailable").asText());
    } else if (of.path("settings").isObject()) {
      stores.put(store, Result.settings(of));
    }
  }

  /** Stores that were asked for and were not available, with the reason. */
  public Map<String, String> unavailable() {
    return Map.copyOf(unavailable);
  }

  /** Measurements that came to nothing, with the reason, and how often. */
  Map<String, Integer> failed() {
    return Collections.unmodifiableMap(failed);
  }

  /** Whether there is nothing to show. */
  public boolean isEmpty() {
    return found.isEmpty() && failed.isEmpty();
  }

  /** All results; stores of one name that differ in their settings have names that say how. */
  List<Result> all() {
    Map<String, Set<String>> differing = new LinkedHashMap<>();
    for (Found each : found) {
      differing.computeIfAbsent(each.store(), this::differing);
    }
    return found.stream()
        .map(
            each ->
                new Result(
                    Result.subject(each.json()),
                    name(each, differing.getOrDefault(each.store(), Set.of())),
                    each.settings(),
                    each.json()))
        .toList();
  }

  private static String name(Found each, Set<String> differing) {
    List<String> parts = new ArrayList<>(List.of(each.store()));
    for (String key : differing) {
      String value = each.settings().get(key);
      if (value != null) {
        parts.add(
            switch (key) {
              case "nodes" -> value + (value.equals("1") ? " node" : " nodes");
              case "heap", "cache" -> key + " " + value;
              case "copies" -> value + (value.equals("1") ? " copy" : " copies");
              default -> value;
            });
      }
    }
    return String.join(", ", parts);
  }

  /** The settings in which the stores of a name are not all the same. */
  private Set<String> differing(String store) {
    Map<String, Set<String>> values = new LinkedHashMap<>();
    Set<String> keys = new LinkedHashSet<>();
    List<Found> its =
        found.stream()
            .filter(each -> each.store().equals(store) && !each.json().has("hosts"))
            .toList();
    its.forEach(each -> keys.addAll(each.settings().keySet()));
    keys.remove(ADDRESS);
    for (String key : keys) {
      for (Found each : its) {
        values
            .computeIfAbsent(key, absent -> new TreeSet<>())
            .add(each.settings().getOrDefault(key, ""));
      }
    }
    // What follows from the number of nodes is not said again.
    boolean nodes = values.getOrDefault("nodes", Set.of()).size() > 1;
    keys.removeIf(
        key ->
            values.getOrDefault(key, Set.of()).size() < 2
                || (nodes && (key.equals("copies") || key.equals("durability"))));
    return keys;
  }
}
