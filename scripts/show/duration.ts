const units = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A duration as the schedule writes it: `0`, `5 s`, `5 min 5 s`, `64.57 s` as `1 min 4.57 s`. */
export const duration = (ms: number): string => {
  let rest = ms;
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const count = unit === 's' ? rest / size : Math.floor(rest / size);
    if (count > 0) parts.push(`${String(count)} ${unit}`);
    rest -= count * size;
  }
  return parts.join(' ') || '0';
};
