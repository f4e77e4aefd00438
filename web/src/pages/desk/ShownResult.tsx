import { Paper, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { GuestLanguageProvider } from '../../vouchers/guestLanguage.tsx';
import type { Voucher } from '../../vouchers/voucher.ts';
import { useAnnouncement } from './announcement.ts';
import { OneVoucher, ShownOrder } from './ResultContent.tsx';
import type { Shown } from './shown.ts';
import { WaitingResult, type AwaitedOrder } from './WaitingResult.tsx';
import classes from './ShownResult.module.css';

interface ShownResultProps {
  readonly shown: Shown | undefined;
  /** What is being ordered, while nothing is known of it. */
  readonly awaited: AwaitedOrder | undefined;
  readonly desk: Schemas['Desk'];
  /** The vouchers of the list, which are newer than what is shown. */
  readonly latest: readonly Voucher[];
  /** Fills in the form with an order that failed; undefined while another one is sent. */
  readonly onAgain: ((order: Schemas['Order']) => void) | undefined;
}

/** The result, large; before there is one, where it will be. */
export const ShownResult = ({ shown, awaited, desk, latest, onAgain }: ShownResultProps) => {
  const t = useTranslations();
  const panel = useRef<HTMLDivElement>(null);
  const announcement = useAnnouncement(shown, awaited);
  useEffect(() => {
    // The next key is for what was made, and a phone shows it.
    if (!shown) return;
    const element = panel.current;
    element?.focus({ preventScroll: true });
    // Where the panel is higher than the screen, its head with the code is what has to be seen.
    const isHigh = (element?.offsetHeight ?? 0) > document.documentElement.clientHeight * 0.75;
    element?.scrollIntoView({ block: isHigh ? 'start' : 'nearest' });
  }, [shown]);
  return (
    <Paper
      p="lg"
      ref={panel}
      tabIndex={-1}
      component="section"
      aria-label={t('desk.result')}
      mih={280}
      className={classes['result'] ?? ''}
    >
      {/* Always there, so that screen readers notice when it changes. */}
      <div role="status" className={classes['announcement'] ?? ''}>
        {announcement}
      </div>
      {shown === undefined && awaited ? (
        <WaitingResult order={awaited} />
      ) : shown === undefined ? (
        <Stack align="center" justify="center" h="100%" mih={230} gap="xs" c="dimmed" ta="center">
          <Icon name="desk" size={40} />
          <Text>{t('desk.nothingYet')}</Text>
        </Stack>
      ) : shown.kind === 'order' ? (
        <GuestLanguageProvider key={shown.order.id}>
          <ShownOrder known={shown.order} desk={desk} onAgain={onAgain} />
        </GuestLanguageProvider>
      ) : (
        <GuestLanguageProvider key={shown.voucher.id}>
          <OneVoucher
            voucher={latest.find(({ id }) => id === shown.voucher.id) ?? shown.voucher}
            desk={desk}
          />
        </GuestLanguageProvider>
      )}
    </Paper>
  );
};
