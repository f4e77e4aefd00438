import { Paper, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { focusIfLost } from '../../lib/focus.ts';
import { GuestLanguageProvider } from '../../vouchers/guestLanguage.tsx';
import { useAnnouncement } from './announcement.ts';
import { useOrder } from './OrderResult.tsx';
import { OneVoucher, ShownOrder } from './ResultContent.tsx';
import type { Shown } from './shown.ts';
import { WaitingResult, type AwaitedOrder } from './WaitingResult.tsx';
import classes from './ShownResult.module.css';

interface ShownResultProps {
  readonly shown: Shown | undefined;
  /** What is being ordered, while nothing is known of it. */
  readonly awaited: AwaitedOrder | undefined;
  readonly desk: Schemas['Desk'];
  /** Fills in the form with an order that failed; undefined while another one is sent. */
  readonly onAgain: ((order: Schemas['Order']) => void) | undefined;
}

/** What is shown, as it is now: it may have been revoked since. */
const useCurrent = (shown: Shown | undefined): Shown | undefined => {
  const order = useOrder(shown?.kind === 'order' ? shown.order : undefined);
  const picked = shown?.kind === 'voucher' ? shown.voucher : undefined;
  const { data: voucher = picked } = api.useQuery(
    'get',
    '/vouchers/{voucherId}',
    { params: { path: { voucherId: picked?.id ?? 0 } } },
    { enabled: picked !== undefined },
  );
  if (shown?.kind === 'order') return order && { kind: 'order', order };
  return voucher && { kind: 'voucher', voucher };
};

/** The result, large; before there is one, where it will be. */
export const ShownResult = ({ shown: picked, awaited, desk, onAgain }: ShownResultProps) => {
  const t = useTranslations();
  const panel = useRef<HTMLDivElement>(null);
  const shown = useCurrent(picked);
  const announcement = useAnnouncement(shown, awaited);
  useEffect(() => {
    // The next key is for what was made, and a phone shows it.
    if (!picked) return;
    const element = panel.current;
    element?.focus({ preventScroll: true });
    // Where the panel is higher than the screen, its head with the code is what has to be seen.
    const isHigh = (element?.offsetHeight ?? 0) > document.documentElement.clientHeight * 0.75;
    element?.scrollIntoView({ block: isHigh ? 'start' : 'nearest' });
  }, [picked]);
  // What is revoked takes its buttons away.
  useEffect(() => focusIfLost(panel.current));
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
          <ShownOrder order={shown.order} desk={desk} onAgain={onAgain} />
        </GuestLanguageProvider>
      ) : (
        <GuestLanguageProvider key={shown.voucher.id}>
          <OneVoucher voucher={shown.voucher} desk={desk} />
        </GuestLanguageProvider>
      )}
    </Paper>
  );
};
