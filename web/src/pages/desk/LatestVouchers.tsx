import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { NewForGuestIcon } from '../../vouchers/NewForGuest.tsx';
import { OrderRow } from '../../vouchers/OrderRow.tsx';
import type { Voucher } from '../../vouchers/voucher.ts';
import { VoucherRow } from '../../vouchers/VoucherRow.tsx';
import type { ListRow } from '../../vouchers/voucherRows.ts';

interface LatestVouchersProps {
  readonly rows: readonly ListRow[];
  /** The orders whose vouchers are listed. */
  readonly opened: ReadonlySet<string>;
  readonly shownId: number | undefined;
  onShow(voucher: Voucher): void;
  onToggle(orderId: string): void;
}

/** The latest vouchers; arrows go up and down, Enter shows one large. An order of many is one row that opens. */
export const LatestVouchers = ({ rows, opened, shownId, onShow, onToggle }: LatestVouchersProps) => {
  const t = useTranslations();
  const list = useRef<HTMLDivElement>(null);
  const buttons = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('.voucher-row-main') ?? []),
  ];
  const move = (by: number): void => {
    const all = buttons();
    const at = all.findIndex((row) => row === document.activeElement);
    all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
  };
  useShortcuts({ ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  const toEnds = (event: KeyboardEvent): void => {
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    buttons()
      .at(event.key === 'Home' ? 0 : -1)
      ?.focus();
  };
  return (
    <section aria-labelledby="latest">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="h4" id="latest">
          {t('desk.latest')}
        </Title>
        <Anchor component={Link} to="/vouchers">
          {t('desk.findAll')}
        </Anchor>
      </Group>
      {rows.length === 0 ? (
        <EmptyState icon="desk" title={t('desk.noneTitle')} text={t('desk.noneText')} />
      ) : (
        <Paper ref={list} className="voucher-list" onKeyDown={toEnds}>
          {rows.map((row) =>
            row.kind === 'order' ? (
              <OrderRow
                key={row.order.id}
                order={row.order}
                voucher={row.voucher}
                isOpen={opened.has(row.order.id)}
                hasPlaceAfter
                onToggle={() => onToggle(row.order.id)}
              />
            ) : (
              <VoucherRow
                key={`${String(row.voucher.id)}${row.isOfOrder ? ' of order' : ''}`}
                voucher={row.voucher}
                isShown={row.voucher.id === shownId}
                isOfOrder={row.isOfOrder}
                onShow={() => onShow(row.voucher)}
                after={<NewForGuestIcon voucher={row.voucher} />}
              />
            ),
          )}
        </Paper>
      )}
      <Text size="sm" c="dimmed" mt="xs" visibleFrom="sm">
        {t('desk.keysHint')}
      </Text>
    </section>
  );
};
