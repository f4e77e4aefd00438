import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** Its label is read out, but not shown; for buttons at the end. */
  readonly isAction?: boolean;
  readonly isNumber?: boolean;
  render(row: Row): ReactNode;
}

interface DataTableProps<Row> {
  /** What the table lists, for those who can not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Few short columns: a table on a phone, too. */
  readonly isCompact?: boolean;
  idOf(row: Row): string | number;
  /** Attributes of a row, for its look. */
  rowProps?(row: Row): Readonly<Record<`data-${string}`, string>>;
}

/** A table on a wide screen, and a list of cards on a phone. The first column names the row. */
export const DataTable = <Row,>({
  caption,
  columns,
  rows,
  isCompact,
  idOf,
  rowProps,
}: DataTableProps<Row>) => (
  <Paper className="data-table-frame" data-compact={isCompact || undefined}>
    {/* Cards are no table to browsers, unless the roles say so. */}
    <table className="data-table" role="table" aria-label={caption}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ id, label, isAction, isNumber }) => (
            <th key={id} role="columnheader" scope="col" data-number={isNumber || undefined}>
              <span className={isAction ? 'data-table-hidden' : undefined}>{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={idOf(row)} role="row" {...rowProps?.(row)}>
            {columns.map(({ id, label, isAction, isNumber, render }, index) => (
              <td
                key={id}
                role={index === 0 ? 'rowheader' : 'cell'}
                data-label={index === 0 || isAction ? undefined : label}
                data-number={isNumber || undefined}
                data-action={isAction || undefined}
              >
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Paper>
);
