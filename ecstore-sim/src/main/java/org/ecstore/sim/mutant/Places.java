package org.ecstore.sim.mutant;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The instructions of a method that can be changed, and how. Left out is what cannot show: the
 * conditions and calls of {@code Check}, which hold unless there is a bug already, what is told to
 * the operator log, and how objects are printed.
 */
final class Places {
  /**
   * One of them.
   *
   * @param element which of the method's code elements it is
   * @param number which of the method's places, from 0
   */
  record Place(int element, int number, int line, String what, Set<Kind> kinds) {}

  private static final Set<String> SILENT =
      new java.util.TreeSet<>(
          List.of(
              "org/ecstore/check/Check",
              "org/ecstore/core/port/OperatorLog",
              "org/ecstore/core/runtime/RateLimitedLog"));

  private static final Set<String> ORDERED =
      new java.util.TreeSet<>(
          List.of("org/ecstore/id/Position", "org/ecstore/id/Epoch", "org/ecstore/id/MapVersion"));

  private Places() {}

  /** The places of a method, in order. */
  static List<Place> of(MethodModel method) {
    Optional<CodeModel> code = method.code();
    if (code.isEmpty() || method.methodName().stringValue().equals("toString")) {
      return List.of();
    }
    List<CodeElement> elements = code.get().elementList();
    List<Place> places = new ArrayList<>();
    int line = 0;
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LineNumber number) {
        line = number.line();
      }
      Set<Kind> kinds = isAnswer(method, elements, i) ? ofAnswer() : kinds(elements, i);
      if (!kinds.isEmpty()) {
        places.add(new Place(i, places.size(), line, what(elements.get(i)), kinds));
      }
    }
    return places;
  }

  private static Set<Kind> kinds(List<CodeElement> elements, int at) {
    return switch (elements.get(at)) {
      case BranchInstruction branch when isCondition(branch) && !isAsserted(elements, at) ->
          ofCondition(branch.opcode());
      case InvokeInstruction call when isOrder(call) && !isAsserted(elements, at) ->
          EnumSet.of(Kind.BOUNDARY);
      case InvokeInstruction call when isNext(call) -> EnumSet.of(Kind.OFF_BY_ONE);
      case InvokeInstruction call when isDroppable(call, elements, at) ->
          EnumSet.of(Kind.DROPPED_CALL);
      case ConstantInstruction one when isOne(one) && isSum(elements, at + 1) ->
          EnumSet.of(Kind.OFF_BY_ONE);
      default -> EnumSet.noneOf(Kind.class);
    };
  }

  /** Whether a call's yes or no is the answer of the method. */
  private static boolean isAnswer(MethodModel method, List<CodeElement> elements, int at) {
    return method.methodTypeSymbol().returnType().descriptorString().equals("Z")
        && elements.get(at) instanceof ReturnInstruction
        && at > 0
        && elements.get(at - 1) instanceof InvokeInstruction;
  }

  private static Set<Kind> ofAnswer() {
    return EnumSet.of(Kind.NEGATED, Kind.ALWAYS_TRUE, Kind.ALWAYS_FALSE);
  }

  private static Set<Kind> ofCondition(Opcode opcode) {
    Set<Kind> kinds = EnumSet.of(Kind.NEGATED, Kind.ALWAYS_JUMPS, Kind.NEVER_JUMPS);
    if (Opcodes.boundary(opcode).isPresent()) {
      kinds.add(Kind.BOUNDARY);
    }
    return kinds;
  }

  private static boolean isCondition(BranchInstruction branch) {
    return Opcodes.negated(branch.opcode()).isPresent();
  }

  /** Whether what is computed here goes into an assertion, and nowhere else before. */
  private static boolean isAsserted(List<CodeElement> elements, int at) {
    for (int i = at + 1; i < elements.size(); i++) {
      switch (elements.get(i)) {
        case InvokeInstruction call when call.owner().asInternalName().endsWith("/Check") -> {
          return true;
        }
        case StoreInstruction _, ReturnInstruction _, ThrowInstruction _ -> {
          return false;
        }
        case Instruction instruction when isEffect(instruction) -> {
          return false;
        }
        default -> {}
      }
    }
    return false;
  }

  private static boolean isEffect(Instruction instruction) {
    return switch (instruction) {
      case StackInstruction stack -> stack.opcode() == Opcode.POP || stack.opcode() == Opcode.POP2;
      case InvokeInstruction call -> isVoid(call) && !isConstructor(call);
      case java.lang.classfile.instruction.FieldInstruction field ->
          field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC;
      default -> false;
    };
  }

  private static boolean isOrder(InvokeInstruction call) {
    String name = call.name().stringValue();
    return ORDERED.contains(call.owner().asInternalName())
        && (name.equals("isAfter") || name.equals("isAtOrBelow"));
  }

  private static boolean isNext(InvokeInstruction call) {
    return ORDERED.contains(call.owner().asInternalName())
        && call.name().stringValue().equals("next");
  }

  private static boolean isDroppable(InvokeInstruction call, List<CodeElement> elements, int at) {
    return !SILENT.contains(call.owner().asInternalName())
        && !isConstructor(call)
        && (isVoid(call) || isPop(elements, at + 1));
  }

  private static boolean isConstructor(InvokeInstruction call) {
    return call.name().stringValue().equals("<init>");
  }

  static boolean isVoid(InvokeInstruction call) {
    return call.typeSymbol().returnType().descriptorString().equals("V");
  }

  private static boolean isPop(List<CodeElement> elements, int at) {
    return at < elements.size()
        && elements.get(at) instanceof StackInstruction stack
        && (stack.opcode() == Opcode.POP || stack.opcode() == Opcode.POP2);
  }

  private static boolean isOne(ConstantInstruction constant) {
    return constant.opcode() == Opcode.ICONST_1 || constant.opcode() == Opcode.LCONST_1;
  }

  private static boolean isSum(List<CodeElement> elements, int at) {
    return at < elements.size()
        && elements.get(at) instanceof OperatorInstruction operator
        && switch (operator.opcode()) {
          case IADD, LADD, ISUB, LSUB -> true;
          default -> false;
        };
  }

  private static String what(CodeElement element) {
    return switch (element) {
      case InvokeInstruction call -> {
        String owner = call.owner().asInternalName();
        yield owner.substring(owner.lastIndexOf('/') + 1) + "." + call.name().stringValue();
      }
      case BranchInstruction branch -> branch.opcode().name().toLowerCase(java.util.Locale.ROOT);
      case ReturnInstruction _ -> "the answer";
      default -> "plus or minus 1";
    };
  }
}
