import { Alert, Button, Progress, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { useFormat } from '../../i18n/format.ts';
import { usePickText } from '../../i18n/language.tsx';
import { useNow } from '../../lib/useNow.ts';
import { ManyActions } from '../../vouchers/ManyActions.tsx';
import { ReceiptButtons } from '../../vouchers/ReceiptButtons.tsx';
import {
  mayBeHandedOut,
  selectOrder,
  stateAt,
  typedName,
  type DeskSite,
  type Voucher,
} from '../../vouchers/voucher.ts';
import { useValidityText } from '../../vouchers/VoucherCard.tsx';
import classes from './OrderResult.module.css';
import { useWaitingText } from './WaitingResult.tsx';

type Order = Schemas['Order'];

/** How often an open order is looked at, beside what events tell. */
const openMs = 2000;

/** An order as it is now. */
export const useOrder = (known: Order | undefined): Order | undefined => {
  const { data } = api.useQuery(
    'get',
    '/orders/{orderId}',
    { params: { path: { orderId: known?.id ?? '' } } },
    {
      ...(known && known.vouchers.length === known.made && { initialData: known }),
      enabled: known !== undefined,
      refetchInterval: ({ state }) => ((state.data ?? known)?.state === 'open' ? openMs : false),
    },
  );
  return data ?? known;
};

/** What became of an order of many, in a sentence. */
export const useOutcomeText = (): ((vouchers: readonly Voucher[], made: number) => string) => {
  const t = useTranslations();
  const now = useNow();
  return (vouchers, made) => {
    const states = vouchers.map((voucher) => stateAt(voucher, now));
    const over = states.filter((state) => !mayBeHandedOut(state)).length;
    if (over < made) return t('desk.madeMany', { count: made - over });
    const revoked = states.filter((state) => state === 'revoked').length;
    return revoked > 0 ? t('desk.revokedMany', { count: revoked }) : t('vouchers.state-expired');
  };
};

/** Whom an order is for, and where. */
const nameAndSite = ({ name, siteName }: Pick<Order, 'name' | 'siteName'>): string =>
  [name, siteName].filter((part) => part !== '').join(' · ');

/** How far an order is that the controller has not answered completely. */
export const OrderProgress = ({ order }: { readonly order: Order }) => {
  const t = useTranslations();
  const pickText = usePickText();
  const { made, count, reason } = order;
  return (
    <Stack gap="xs" role="status">
      <Title order={2} fz="h3">
        {useWaitingText()(order)}
      </Title>
      {count > 1 && (
        <>
          <Progress
            value={Math.max((made / count) * 100, 3)}
            size="lg"
            animated
            aria-label={t('desk.progress', { made, count })}
          />
          <Text className="numbers">{t('desk.progress', { made, count })}</Text>
        </>
      )}
      {reason && <Text size="sm">{pickText(reason)}</Text>}
      <Text c="dimmed" size="sm">
        {t('desk.openText')}
      </Text>
    </Stack>
  );
};

interface FailedOrderProps {
  readonly order: Order;
  /** Fills in the form with the order. */
  readonly onAgain: (() => void) | undefined;
}

/** An order of which nothing came in the end, although the controller was asked. */
export const FailedOrder = ({ order: { name, siteName, made, reason }, onAgain }: FailedOrderProps) => {
  const t = useTranslations();
  const pickText = usePickText();
  return (
    <Alert
      color="red"
      role="alert"
      icon={<Icon name="error" />}
      title={t('desk.failedTitle', { count: made })}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" fw={600}>
          {nameAndSite({ name, siteName })}
        </Text>
        {reason && <Text size="sm">{pickText(reason)}</Text>}
        <Text size="sm">{t('desk.failedText')}</Text>
        <Button variant="default" size="compact-sm" disabled={!onAgain} onClick={onAgain}>
          {t('desk.orderAgain')}
        </Button>
      </Stack>
    </Alert>
  );
};

/** So many lines are seen at once. */
const maxRows = 15;

const hasNames = (vouchers: readonly Voucher[]): boolean =>
  new Set(vouchers.map(({ name }) => name)).size > 1;

/** With their names where these differ. */
const listCodes = (vouchers: readonly Voucher[]): string =>
  hasNames(vouchers)
    ? vouchers.map(({ formattedCode, name }) => `${formattedCode}  ${typedName(name)}`).join('\n')
    : vouchers.map(({ formattedCode }) => formattedCode).join('   ');

interface ManyVouchersProps {
  readonly order: Order;
  readonly site: DeskSite | undefined;
  readonly printing: boolean;
  onPrinting(isOpen: boolean): void;
}

/** What was made of an order of many: a sheet to print, a table, or both. */
export const ManyVouchers = ({ order, site, printing, onPrinting }: ManyVouchersProps) => {
  const t = useTranslations();
  const format = useFormat();
  const pickText = usePickText();
  const selection = selectOrder(order.id);
  const validityText = useValidityText();
  const outcomeText = useOutcomeText();
  const now = useNow();
  const { made, count, reason, vouchers } = order;
  const [first] = vouchers;
  // Nobody hands out a code by mistake that is no longer valid.
  const usable = vouchers.filter((voucher) => mayBeHandedOut(stateAt(voucher, now)));
  return (
    <Stack>
      <Stack gap={4}>
        <Text c="dimmed">{nameAndSite(order)}</Text>
        <Title order={2} fz="2rem">
          {outcomeText(vouchers, made)}
        </Title>
        {first && usable.length > 0 && (
          <Text>
            {[...(first.profileName === null ? [] : [first.profileName]), validityText(first)].join(' · ')}
          </Text>
        )}
      </Stack>
      {made < count && (
        <Alert color="yellow" icon={<Icon name="warning" />}>
          {t('desk.madePartly', { made: format.number(made), count: format.number(count) })}{' '}
          {reason && pickText(reason)}
        </Alert>
      )}
      <ManyActions
        selection={selection}
        vouchers={vouchers}
        site={site}
        revokeText={t('desk.revokeAll')}
        isPrinting={printing}
        onPrinting={onPrinting}
      >
        <ReceiptButtons vouchers={vouchers} printers={site?.printers ?? []} />
      </ManyActions>
      {usable.length > 0 && (
        <textarea
          readOnly
          rows={Math.min(Math.max(hasNames(vouchers) ? usable.length : 0, 6), maxRows)}
          className={`code ${classes['codes'] ?? ''}`}
          aria-label={t('desk.codes')}
          value={listCodes(usable)}
        />
      )}
    </Stack>
  );
};
