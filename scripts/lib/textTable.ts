/** Rows as a table for a terminal: the first is its heading. */
export const formatTable = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  return rows.flatMap((row, index) => (index === 1 ? [rule, line(row)] : [line(row)])).join('\n');
};

/** Rows as aligned columns: the first to the left, the others to the right. The first row is the heading. */
export const formatNumericTable = (rows: readonly (readonly string[])[]): string => {
  const [heading = []] = rows;
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  return [line(heading), rule, ...rows.slice(1).map(line)].join('\n');
};
