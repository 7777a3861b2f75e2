package org.ecstore.sim.mutant;

/**
 * One change of one instruction of a protocol class.
 *
 * @param type the class, by its binary name
 * @param method its name and descriptor
 * @param place which of the method's instructions that can be changed, from 0
 * @param line the line of the source; 0 if the class file has none
 * @param what the instruction that is changed, for people
 */
public record Mutant(String type, String method, int place, Kind kind, int line, String what)
    implements Comparable<Mutant> {
  /** Its name, which does not change with the lines of the source. */
  public String identity() {
    return type + "#" + method + "@" + place + ":" + kind;
  }

  /** The class that has the source. */
  String topLevel() {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  @Override
  public int compareTo(Mutant other) {
    int byType = type.compareTo(other.type);
    int byMethod = byType != 0 ? byType : method.compareTo(other.method);
    int byPlace = byMethod != 0 ? byMethod : Integer.compare(place, other.place);
    return byPlace != 0 ? byPlace : kind.compareTo(other.kind);
  }

  @Override
  public String toString() {
    return identity() + " (line " + line + ", " + what + ": " + kind.words() + ")";
  }
}
