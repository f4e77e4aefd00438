type Rows = readonly (readonly string[])[];

const format = (rows: Rows, align: (cell: string, width: number, column: number) => string): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => align(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  return [lines[0], rule, ...lines.slice(1)].join('\n');
};

/** Rows as a table for a terminal: the first is its heading. */
export const formatTable = (rows: Rows): string => format(rows, (cell, width) => cell.padEnd(width));

/** The same with all columns but the first to the right. */
export const formatNumericTable = (rows: Rows): string =>
  format(rows, (cell, width, column) => (column === 0 ? cell.padEnd(width) : cell.padStart(width)));
