package org.ecstore.sim.mutant;

import java.lang.classfile.Opcode;
import java.util.Optional;

/** What becomes of a conditional jump. */
final class Opcodes {
  private Opcodes() {}

  /** The jump that is made when this one is not; empty for what is no conditional jump. */
  static Optional<Opcode> negated(Opcode jump) {
    return Optional.ofNullable(
        switch (jump) {
          case IFEQ -> Opcode.IFNE;
          case IFNE -> Opcode.IFEQ;
          case IFLT -> Opcode.IFGE;
          case IFGE -> Opcode.IFLT;
          case IFGT -> Opcode.IFLE;
          case IFLE -> Opcode.IFGT;
          case IF_ICMPEQ -> Opcode.IF_ICMPNE;
          case IF_ICMPNE -> Opcode.IF_ICMPEQ;
          case IF_ICMPLT -> Opcode.IF_ICMPGE;
          case IF_ICMPGE -> Opcode.IF_ICMPLT;
          case IF_ICMPGT -> Opcode.IF_ICMPLE;
          case IF_ICMPLE -> Opcode.IF_ICMPGT;
          case IF_ACMPEQ -> Opcode.IF_ACMPNE;
          case IF_ACMPNE -> Opcode.IF_ACMPEQ;
          case IFNULL -> Opcode.IFNONNULL;
          case IFNONNULL -> Opcode.IFNULL;
          default -> null;
        });
  }

  /** The jump that differs from this one only where both sides are equal. */
  static Optional<Opcode> boundary(Opcode jump) {
    return Optional.ofNullable(
        switch (jump) {
          case IFLT -> Opcode.IFLE;
          case IFLE -> Opcode.IFLT;
          case IFGT -> Opcode.IFGE;
          case IFGE -> Opcode.IFGT;
          case IF_ICMPLT -> Opcode.IF_ICMPLE;
          case IF_ICMPLE -> Opcode.IF_ICMPLT;
          case IF_ICMPGT -> Opcode.IF_ICMPGE;
          case IF_ICMPGE -> Opcode.IF_ICMPGT;
          default -> null;
        });
  }

  /** How many values a conditional jump takes from the stack. */
  static int operands(Opcode jump) {
    return jump.name().startsWith("IF_") ? 2 : 1;
  }
}
