package org.ecstore.sim;

import java.util.Map;

/** Planted bugs by name; found through the service loader, on the test side only. */
public interface PlantSource {
  Map<String, Variant> plants();
}
