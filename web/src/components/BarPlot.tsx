import { Box, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';

export interface Bar {
  readonly id: string;
  readonly label: string;
  /** The height of the bar. */
  readonly whole: number;
  /** The filled part of it. */
  readonly part: number;
}

interface BarPlotProps {
  readonly bars: readonly Bar[];
  /** What the plot shows in one sentence, for those who can not see it. */
  readonly summary: string;
  readonly wholeLabel: string;
  readonly partLabel: string;
  /** The readout of one bar, shown on pointing. */
  describe(bar: Bar): string;
}

/** In pixels, so that the numbers are as large as other text. */
const [height, axisHeight, axisWidth] = [200, 24, 36];
const gap = 0.25;
const maxBarWidth = 56;

/** A round, even number at or above the highest bar. */
const topOf = (highest: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((value) => value >= highest) ?? highest;
};

/** Bars over time, each with a filled part: outlined and filled, so that it can be read without colours. */
export const BarPlot = ({ bars, summary, wholeLabel, partLabel, describe }: BarPlotProps) => {
  const [pointed, setPointed] = useState<Bar>();
  const { ref, width: frameWidth } = useElementSize();
  const width = Math.max(frameWidth - axisWidth, 1);
  const top = topOf(Math.max(...bars.map(({ whole }) => whole), 2));
  const step = width / Math.max(bars.length, 1);
  const barWidth = Math.min(step * (1 - gap), maxBarWidth);
  const barLeft = (index: number): number => (index + 0.5) * step - barWidth / 2;
  const barHeight = (value: number): number => (value / top) * (height - 8);
  const labelled = new Set([0, Math.floor((bars.length - 1) / 2), bars.length - 1]);
  return (
    <Box ref={ref}>
      <Group justify="space-between" mb="xs" mih={24}>
        <Group gap="md" aria-hidden="true">
          <Legend className="bar-whole" label={wholeLabel} />
          <Legend className="bar-part" label={partLabel} />
        </Group>
        <Text size="sm" c="dimmed" className="numbers" aria-live="off">
          {pointed && describe(pointed)}
        </Text>
      </Group>
      <svg
        width="100%"
        height={height + axisHeight}
        viewBox={`${String(-axisWidth)} 0 ${String(width + axisWidth)} ${String(height + axisHeight)}`}
        className="bar-plot"
        role="img"
        aria-label={summary}
        onMouseLeave={() => setPointed(undefined)}
      >
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line
              x1={0}
              x2={width}
              y1={height - barHeight(value)}
              y2={height - barHeight(value)}
              className="bar-line"
            />
            <text x={-8} y={height - barHeight(value) + 4} textAnchor="end" className="bar-label">
              {Number.isInteger(value) ? value : ''}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          <g key={bar.id} onMouseEnter={() => setPointed(bar)} data-pointed={pointed === bar || undefined}>
            <rect x={index * step} y={0} width={step} height={height} fill="transparent" />
            <rect
              className="bar-whole"
              x={barLeft(index)}
              width={barWidth}
              y={height - barHeight(bar.whole)}
              height={barHeight(bar.whole)}
              rx={2}
            />
            <rect
              className="bar-part"
              x={barLeft(index)}
              width={barWidth}
              y={height - barHeight(bar.part)}
              height={barHeight(bar.part)}
              rx={2}
            />
            {labelled.has(index) && (
              <text
                x={
                  index === 0
                    ? barLeft(0)
                    : index === bars.length - 1
                      ? barLeft(index) + barWidth
                      : (index + 0.5) * step
                }
                y={height + axisHeight - 5}
                textAnchor={index === 0 ? 'start' : index === bars.length - 1 ? 'end' : 'middle'}
                className="bar-label"
              >
                {bar.label}
              </text>
            )}
          </g>
        ))}
      </svg>
    </Box>
  );
};

const Legend = ({ className, label }: { readonly className: string; readonly label: string }) => (
  <Group gap={6}>
    <svg width={12} height={12} className="bar-plot">
      <rect x={1} y={1} width={10} height={10} rx={2} className={className} />
    </svg>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
  </Group>
);
