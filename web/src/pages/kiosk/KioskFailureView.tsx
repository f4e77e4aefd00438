import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon, type IconName } from '../../components/Icon.tsx';
import classes from './KioskPage.module.css';
import type { KioskFailure } from './takeVoucher.ts';

const icons: Readonly<Record<KioskFailure, IconName>> = {
  limit: 'clock',
  device: 'clock',
  queue: 'clock',
  puzzle: 'warning',
  name: 'edit',
  withdrawn: 'blocked',
  changed: 'edit',
  network: 'wifi',
  down: 'warning',
};

/** Asking once more may help with these. */
const canRetry: readonly KioskFailure[] = ['network', 'down', 'puzzle', 'queue'];

interface KioskFailureViewProps {
  readonly failure: KioskFailure;
  readonly isPending?: boolean;
  readonly onRetry: () => void;
  readonly onBack?: () => void;
}

/** Why there is no code, and what the guest can do. */
export const KioskFailureView = ({ failure, isPending = false, onRetry, onBack }: KioskFailureViewProps) => {
  const t = useTranslations();
  return (
    <Stack className={classes['centre'] ?? ''} role="alert">
      <Text c="dimmed" lh={1} component="span">
        <Icon name={icons[failure]} size={72} />
      </Text>
      <Title order={1} className={classes['title'] ?? ''}>
        {t(`kiosk.${failure}Title`)}
      </Title>
      <Text fz="xl" maw="36rem">
        {t(`kiosk.${failure}Text`)}
      </Text>
      <Group justify="center">
        {canRetry.includes(failure) && (
          <Button size="xl" loading={isPending} onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
        {onBack && (
          <Button size="xl" variant="default" onClick={onBack}>
            {t('kiosk.back')}
          </Button>
        )}
      </Group>
    </Stack>
  );
};
