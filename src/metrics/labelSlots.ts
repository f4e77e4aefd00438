/** The label of everything beyond the limit. */
export const otherLabel = 'other';

/**
 * Ids as labels, of which there are at most so many: each new series costs memory here and in Prometheus. Ids beyond the
 * limit share the label `other`. Names are no labels: they change, and anybody who may name something could fill a
 * dashboard with them.
 */
export interface LabelSlots {
  labelOf(id: number): string;
  /** Frees the labels of ids that were there the last time and are gone. Returns those labels. */
  keepOnly(ids: readonly number[]): string[];
}

export const makeLabelSlots = (max: number): LabelSlots => {
  const slots = new Set<number>();
  let known: readonly number[] = [];
  return {
    labelOf: (id) => {
      if (!slots.has(id)) {
        if (slots.size >= max) return otherLabel;
        slots.add(id);
      }
      return String(id);
    },
    keepOnly: (ids) => {
      const current = new Set(ids);
      // One that is used and not known yet has been added a moment ago.
      const gone = known.filter((id) => !current.has(id) && slots.delete(id));
      known = ids;
      return gone.map(String);
    },
  };
};
