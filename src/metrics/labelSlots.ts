import type { Counter } from 'prom-client';
/** The label of everything beyond the limit. */
export const otherLabel = 'other';

/**
 * Ids as labels, of which there are at most so many: each new series costs memory here and in Prometheus. Ids
 * beyond the limit share the label `other`. Names are no labels: they change, and anybody who may name
 * something could fill a dashboard with them.
 */
export interface LabelSlots {
  labelOf(id: number): string;
  /**
   * Frees the labels of all other ids, except those that are new since the last time. Returns those labels.
   */
  keepOnly(ids: readonly number[]): string[];
}

export const makeLabelSlots = (max: number): LabelSlots => {
  const slots = new Set<number>();
  /** Added since the last time: the list may be older than they are. */
  const added = new Set<number>();
  return {
    labelOf: (id) => {
      if (!slots.has(id)) {
        if (slots.size >= max) return otherLabel;
        slots.add(id);
        added.add(id);
      }
      return String(id);
    },
    keepOnly: (ids) => {
      const current = new Set(ids);
      const gone = [...slots].filter((id) => !current.has(id) && !added.has(id));
      for (const id of gone) slots.delete(id);
      added.clear();
      return gone.map(String);
    },
  };
};

/** Removes the series with these labels. */
export const removeSeries = async (
  metric: Counter,
  label: string,
  gone: readonly string[],
): Promise<void> => {
  if (gone.length === 0) return;
  const { values } = await metric.get();
  for (const { labels } of values) if (gone.includes(String(labels[label]))) metric.remove(labels);
};
