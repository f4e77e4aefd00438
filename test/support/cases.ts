import { inspect } from 'node:util';
import { test } from '@jest/globals';

type Mutable<Row> = { -readonly [Index in keyof Row]: Row[Index] };

interface TestCases {
  <Row extends readonly [unknown, ...unknown[]]>(
    rows: readonly Row[],
  ): (title: string, check: (...row: Mutable<Row>) => unknown) => void;
  <Value>(values: readonly Value[]): (title: string, check: (value: Value) => unknown) => void;
}

const maxLabelLength = 200;

/** One test for all cases of a rule, like `test.each` with a test for each. It names all cases that fail. */
export const testCases: TestCases =
  (rows: readonly unknown[]) =>
  (title: string, check: (...row: never[]) => unknown): void => {
    test(title, async () => {
      const failures: string[] = [];
      for (const row of rows) {
        try {
          await check(...((Array.isArray(row) ? row : [row]) as never[]));
        } catch (error) {
          const label = inspect(row, { breakLength: Number.POSITIVE_INFINITY }).slice(0, maxLabelLength);
          failures.push(`${label}: ${error instanceof Error ? error.message : inspect(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join('\n\n'));
    });
  };
