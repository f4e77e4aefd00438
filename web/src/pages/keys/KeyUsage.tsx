import { Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { Sparkline } from '../../components/Sparkline.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNow } from '../../lib/useNow.ts';

const hourMs = 3_600_000;

/** The last 24 hours, the current one included; the service leaves out hours without requests. */
const hoursOf = (usage: readonly Schemas['KeyUsage'][], now: number) => {
  const current = Math.floor(now / hourMs);
  const byHour = new Map(usage.map((hour) => [Math.floor(Date.parse(hour.at) / hourMs), hour]));
  return Array.from({ length: 24 }, (_, index) => {
    const hour = byHour.get(current - 23 + index);
    return { whole: hour?.requests ?? 0, marked: hour?.refusals ?? 0 };
  });
};

interface KeyUsageProps {
  readonly name: string;
  readonly usage: readonly Schemas['KeyUsage'][];
}

/** Requests and refusals of a key in the last 24 hours, as a plot with its numbers. */
export const KeyUsage = ({ name, usage }: KeyUsageProps) => {
  const t = useTranslations();
  const format = useFormat();
  const bars = hoursOf(usage, useNow());
  const requests = bars.reduce((sum, { whole }) => sum + whole, 0);
  const refusals = bars.reduce((sum, { marked }) => sum + marked, 0);
  return (
    <Group gap="sm" wrap="nowrap">
      <Sparkline bars={bars} label={t('keys.usageLabel', { name, requests, refusals })} />
      <Text size="xs" c="dimmed" className="numbers" ta="start" style={{ whiteSpace: 'nowrap' }}>
        {format.number(requests)}
        {refusals > 0 && (
          <Text component="span" inherit c="var(--mantine-color-error)" display="block">
            {t('keys.refused', { count: refusals })}
          </Text>
        )}
      </Text>
    </Group>
  );
};
