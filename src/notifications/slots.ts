/** Lets at most `max` works of one name run at a time; others wait for their turn. */
export const makeSlots = (max: number) => {
  const names = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const slots = names.get(name) ?? { running: 0, waiting: [] };
    names.set(name, slots);
    if (slots.running < max) slots.running += 1;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = slots.waiting.shift();
      // A slot that is handed on stays taken.
      if (next) next();
      else if ((slots.running -= 1) === 0) names.delete(name);
    }
  };
};
