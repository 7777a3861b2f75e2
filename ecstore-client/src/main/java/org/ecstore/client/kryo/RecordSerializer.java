package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.jspecify.annotations.Nullable;

/** Records by the ids of their components. */
final class RecordSerializer extends DefinedSerializer<Object> {
  private final RecordShape shape;
  private final StoredType own;

  /** How records of {@code planned} are read. */
  private @Nullable RecordPlan plan;

  private @Nullable StoredType planned;

  RecordSerializer(RecordShape shape) {
    this.shape = shape;
    this.own = new StoredType(Definition.read(BoundedInput.of(shape.definition())));
  }

  @Override
  public void write(Kryo kryo, Output out, Object record) {
    StrictKryo strict = (StrictKryo) kryo;
    define(strict, out, strict.isWhole() ? shape.wholeDefinition() : shape.definition());
    shape.write(strict, out, record);
  }

  @Override
  StoredType readDefinition(BoundedInput in) {
    return in.skipIfNext(shape.definition()) ? own : super.readDefinition(in);
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
    StrictKryo strict = (StrictKryo) kryo;
    BoundedInput in = (BoundedInput) input;
    return plan(strict, stored(strict, in)).read(strict, in);
  }

  private RecordPlan plan(StrictKryo kryo, StoredType stored) {
    if (stored == own) {
      return shape.ownPlan();
    }
    kryo.evolve();
    RecordPlan known = plan;
    if (known == null || planned != stored) {
      stored.requireForm(Definition.RECORD, shape.type());
      known = RecordPlan.of(shape, stored.definition());
      plan = known;
      planned = stored;
    }
    return known;
  }
}
