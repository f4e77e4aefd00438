import { Paper, Text } from '@mantine/core';
import { useFormat } from '../i18n/format.ts';

interface Figure {
  readonly label: string;
  readonly value: number;
}

/** A few numbers that are read at a glance. */
export const Figures = ({ figures }: { readonly figures: readonly Figure[] }) => {
  const format = useFormat();
  return (
    <dl className="figures">
      {figures.map(({ label, value }) => (
        <Paper key={label} p="md">
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz={28} fw={650} lh={1.2} className="numbers">
            {format.number(value, { maximumFractionDigits: 1 })}
          </Text>
        </Paper>
      ))}
    </dl>
  );
};
