import type { Raster } from './escpos.js';

/** A straight part of an outline, in dots. */
export interface Edge {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** Where an outline crosses a row of dots, and in which direction. */
interface Crossing {
  readonly x: number;
  readonly turn: 1 | -1;
}

/** Fills closed outlines with black dots: those whose middle is inside (nonzero winding). */
export const fillShapes = (edges: readonly Edge[], widthDots: number, height: number): Raster => {
  const rows = Array.from({ length: height }, (): Crossing[] => []);
  for (const { from, to } of edges) {
    const [[topX, topY], [bottomX, bottomY]] = from[1] <= to[1] ? [from, to] : [to, from];
    const slope = (bottomX - topX) / (bottomY - topY);
    const turn = from[1] <= to[1] ? 1 : -1;
    const start = Math.max(0, Math.ceil(topY - 0.5));
    for (let row = start; row + 0.5 < bottomY && row < height; row += 1)
      rows[row]?.push({ x: topX + (row + 0.5 - topY) * slope, turn });
  }
  const widthBytes = Math.ceil(widthDots / 8);
  const bits = Buffer.alloc(widthBytes * height);
  for (const [row, crossings] of rows.entries()) {
    let winding = 0;
    let start = 0;
    for (const { x, turn } of crossings.sort((a, b) => a.x - b.x)) {
      if (winding === 0) start = x;
      winding += turn;
      if (winding !== 0) continue;
      const end = Math.min(widthDots, Math.ceil(x - 0.5));
      for (let dot = Math.max(0, Math.ceil(start - 0.5)); dot < end; dot += 1) {
        const byte = row * widthBytes + (dot >> 3);
        bits[byte] = (bits[byte] ?? 0) | (0x80 >> (dot & 7));
      }
    }
  }
  return { widthBytes, height, bits };
};
