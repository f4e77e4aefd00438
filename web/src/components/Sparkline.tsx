interface SparklineProps {
  /** The height of each bar, and the part of it that is marked. */
  readonly bars: readonly { readonly whole: number; readonly marked: number }[];
  readonly label: string;
}

const [width, height] = [84, 28];

/** A small plot inside a line of text or a table. */
export const Sparkline = ({ bars, label }: SparklineProps) => {
  const top = Math.max(...bars.map(({ whole }) => whole), 1);
  const step = width / Math.max(bars.length, 1);
  const scaled = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / top) * (height - 2)));
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      role="img"
      aria-label={label}
    >
      <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--page-line)" />
      {bars.map(({ whole, marked }, index) => (
        <g key={index}>
          <rect
            x={index * step + 0.5}
            width={step - 1}
            y={height - 1 - scaled(whole)}
            height={scaled(whole)}
            fill="var(--page-accent)"
          />
          <rect
            x={index * step + 0.5}
            width={step - 1}
            y={height - 1 - scaled(marked)}
            height={scaled(marked)}
            fill="var(--mantine-color-error)"
          />
        </g>
      ))}
    </svg>
  );
};
