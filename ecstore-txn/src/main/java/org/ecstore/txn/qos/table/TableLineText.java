package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.List;

/** A line of a table's text, which is fields with something between them. */
enum TableLineText {
  COMMAS(','),
  SEMICOLONS(';'),
  TABS('\t');

  private final char between;

  TableLineText(char between) {
    this.between = between;
  }

  /** What divides a line into most fields; of equal ones commas. */
  static TableLineText of(String line) {
    TableLineText most = COMMAS;
    for (TableLineText each : values()) {
      if (each.fields(line).size() > most.fields(line).size()) {
        most = each;
      }
    }
    return most;
  }

  /** Its fields, without blanks around them and without quotes; what divides is none in quotes. */
  List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < line.length(); i++) {
      char each = line.charAt(i);
      if (each == '"') {
        isQuoted = !isQuoted;
      } else if (each == between && !isQuoted) {
        fields.add(field.toString().strip());
        field.setLength(0);
      } else {
        field.append(each);
      }
    }
    fields.add(field.toString().strip());
    return fields;
  }
}
