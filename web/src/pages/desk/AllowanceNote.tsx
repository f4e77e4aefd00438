import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import type { DeskSite } from '../../vouchers/voucher.ts';
import { isUsedUp } from './allowance.ts';

/** How many vouchers are left for today, and what to do when it is none. */
export const AllowanceNote = ({ site }: { readonly site: DeskSite }) => {
  const t = useTranslations();
  const { leftToday, maxPerDay } = site.allowance;
  if (leftToday === null || maxPerDay === null) return null;
  if (isUsedUp(site))
    return (
      <Alert color="yellow" icon={<Icon name="warning" />} role="status">
        {t('errors.daily-limit', { left: 0, most: maxPerDay })}
      </Alert>
    );
  return (
    <Text size="sm" c="dimmed" role="status">
      {t('desk.leftToday', { left: leftToday, most: maxPerDay })}
    </Text>
  );
};
