import { Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { isPrintable } from '../../../src/printing/printableText.ts';
import { Icon } from '../components/Icon.tsx';
import type { Voucher } from './voucher.ts';

interface UnprintableNamesProps {
  readonly vouchers: readonly Pick<Voucher, 'name'>[];
}

/** Says before vouchers are printed that PDF files and receipts can't show all letters of their names. */
export const UnprintableNames = ({ vouchers }: UnprintableNamesProps) => {
  const t = useTranslations();
  const count = vouchers.filter(({ name }) => !isPrintable(name)).length;
  if (count === 0) return null;
  return (
    <Group role="alert" gap="xs" wrap="nowrap">
      <Icon name="warning" />
      <Text size="sm">{t('desk.unprintableNames', { count })}</Text>
    </Group>
  );
};
