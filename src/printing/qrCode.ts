import { encode } from 'uqr';

/** A QR code as squares: its rows, with true for dark ones. The light margin is left to where it is drawn. */
export interface QrSquares {
  readonly size: number;
  readonly rows: readonly (readonly boolean[])[];
}

/** Codes that are handled a lot are scratched: up to 15 % of one may be missing. */
export const encodeQr = (text: string): QrSquares => {
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  return { size, rows: data };
};

/** The runs of dark squares in each row: fewer shapes than squares. */
export const darkRuns = function* ({ rows }: QrSquares): Generator<{ x: number; y: number; length: number }> {
  for (const [y, row] of rows.entries()) {
    let start = -1;
    for (let x = 0; x <= row.length; x += 1) {
      if (row[x] === true && start < 0) start = x;
      if (row[x] !== true && start >= 0) {
        yield { x: start, y, length: x - start };
        start = -1;
      }
    }
  }
};
