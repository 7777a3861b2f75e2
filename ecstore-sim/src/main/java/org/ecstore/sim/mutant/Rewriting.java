package org.ecstore.sim.mutant;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes classes again with one change, and with a count at each turn of a loop. */
final class Rewriting {
  private static final ClassDesc PROBE = ClassDesc.of("org.ecstore.sim.probe.Probe");
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

  private final ClassFile files;

  Rewriting(ClassFile files) {
    this.files = files;
  }

  byte[] counted(ClassModel type) {
    return rewritten(type, null);
  }

  byte[] mutated(ClassModel type, Mutant mutant) {
    if (type.methods().stream().noneMatch(method -> isOf(method, mutant))) {
      throw new IllegalArgumentException("no method of " + mutant);
    }
    return rewritten(type, mutant);
  }

  private static boolean isOf(MethodModel method, Mutant mutant) {
    return ClassBytes.nameOf(method).equals(mutant.method());
  }

  private byte[] rewritten(ClassModel type, @Nullable Mutant mutant) {
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method && isChanged(method, mutant)) {
            builder.transformMethod(method, code(method, mutant));
          } else {
            builder.with(element);
          }
        };
    return files.transformClass(type, transform);
  }

  private static boolean isChanged(MethodModel method, @Nullable Mutant mutant) {
    return method.code().isPresent()
        && ((mutant != null && isOf(method, mutant)) || hasLoop(method.code().get()));
  }

  private static boolean hasLoop(CodeModel code) {
    Set<Label> passed = new HashSet<>();
    for (CodeElement element : code) {
      if (element instanceof LabelTarget target) {
        passed.add(target.label());
      } else if (element instanceof BranchInstruction jump && passed.contains(jump.target())) {
        return true;
      }
    }
    return false;
  }

  private static MethodTransform code(MethodModel method, @Nullable Mutant mutant) {
    Places.@Nullable Place place =
        mutant == null || !isOf(method, mutant) ? null : placeOf(method, mutant);
    return MethodTransform.transformingCode(
        CodeTransform.ofStateful(() -> new Change(place, mutant == null ? null : mutant.kind())));
  }

  private static Places.Place placeOf(MethodModel method, Mutant mutant) {
    List<Places.Place> places = Places.of(method);
    if (mutant.place() >= places.size()
        || !places.get(mutant.place()).kinds().contains(mutant.kind())) {
      throw new IllegalArgumentException("there is no such place: " + mutant);
    }
    return places.get(mutant.place());
  }

  /** The change of one method, told its code elements in order. */
  private static final class Change implements CodeTransform {
    private final Places.@Nullable Place place;
    private final @Nullable Kind kind;
    private final Set<Label> passed = new HashSet<>();
    private int element;
    private boolean skipsNext;

    Change(Places.@Nullable Place place, @Nullable Kind kind) {
      this.place = place;
      this.kind = kind;
    }

    @Override
    public void accept(CodeBuilder code, CodeElement given) {
      int at = element++;
      if (given instanceof LabelTarget target) {
        passed.add(target.label());
      } else if (given instanceof BranchInstruction jump && passed.contains(jump.target())) {
        code.invokestatic(PROBE, "step", NOTHING);
      }
      if (skipsNext) {
        skipsNext = false;
      } else if (place != null && kind != null && place.element() == at) {
        code.invokestatic(PROBE, "reach", NOTHING);
        change(code, given, kind);
      } else {
        code.with(given);
      }
    }

    private void change(CodeBuilder code, CodeElement given, Kind how) {
      switch (given) {
        case BranchInstruction jump -> condition(code, jump, how);
        case InvokeInstruction call when how == Kind.BOUNDARY -> boundary(code, call);
        case InvokeInstruction call when how == Kind.DROPPED_CALL -> drop(code, call);
        case InvokeInstruction _ -> {}
        case ReturnInstruction _ -> answer(code, how);
        // The constant and the operator after it.
        default -> skipsNext = true;
      }
    }

    private static void condition(CodeBuilder code, BranchInstruction jump, Kind how) {
      Opcode opcode = jump.opcode();
      switch (how) {
        case NEGATED -> code.branch(Opcodes.negated(opcode).orElseThrow(), jump.target());
        case BOUNDARY -> code.branch(Opcodes.boundary(opcode).orElseThrow(), jump.target());
        default -> {
          for (int i = 0; i < Opcodes.operands(opcode); i++) {
            code.pop();
          }
          // Still a condition, so that no code is dead.
          code.loadConstant(how == Kind.ALWAYS_JUMPS ? 1 : 0);
          code.branch(Opcode.IFNE, jump.target());
        }
      }
    }

    private static void answer(CodeBuilder code, Kind how) {
      if (how == Kind.NEGATED) {
        code.iconst_1().ixor();
      } else {
        code.pop().loadConstant(how == Kind.ALWAYS_TRUE ? 1 : 0);
      }
      code.ireturn();
    }

    /** {@code a > b} is {@code b <= a}, and {@code a <= b} is {@code b > a}. */
    private static void boundary(CodeBuilder code, InvokeInstruction call) {
      code.swap();
      code.invokevirtual(
          call.owner().asSymbol(),
          call.name().stringValue().equals("isAfter") ? "isAtOrBelow" : "isAfter",
          call.typeSymbol());
    }

    private void drop(CodeBuilder code, InvokeInstruction call) {
      List<ClassDesc> parameters = call.typeSymbol().parameterList();
      for (int i = parameters.size() - 1; i >= 0; i--) {
        boolean wide = TypeKind.from(parameters.get(i)).slotSize() == 2;
        if (wide) {
          code.pop2();
        } else {
          code.pop();
        }
      }
      if (call.opcode() != Opcode.INVOKESTATIC) {
        code.pop();
      }
      // The instruction that would drop the answer.
      skipsNext = !Places.isVoid(call);
    }
  }
}
