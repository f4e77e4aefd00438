import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { NewForGuestIcon } from '../../vouchers/NewForGuest.tsx';
import type { Voucher } from '../../vouchers/voucher.ts';
import { VoucherRow } from '../../vouchers/VoucherRow.tsx';

interface LatestVouchersProps {
  readonly vouchers: readonly Voucher[];
  readonly shownId: number | undefined;
  onShow(voucher: Voucher): void;
}

/** The latest vouchers; arrows go up and down, Enter shows one large. */
export const LatestVouchers = ({ vouchers, shownId, onShow }: LatestVouchersProps) => {
  const t = useTranslations();
  const list = useRef<HTMLDivElement>(null);
  const rows = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('.voucher-row-main') ?? []),
  ];
  const move = (by: number): void => {
    const all = rows();
    const at = all.findIndex((row) => row === document.activeElement);
    all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
  };
  useShortcuts({ ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  const toEnds = (event: KeyboardEvent): void => {
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    rows()
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
      {vouchers.length === 0 ? (
        <EmptyState icon="desk" title={t('desk.noneTitle')} text={t('desk.noneText')} />
      ) : (
        <Paper ref={list} className="voucher-list">
          {vouchers.map((voucher) => (
            <VoucherRow
              key={voucher.id}
              voucher={voucher}
              isShown={voucher.id === shownId}
              onShow={() => onShow(voucher)}
              onKeyDown={toEnds}
              after={<NewForGuestIcon voucher={voucher} />}
            />
          ))}
        </Paper>
      )}
      <Text size="sm" c="dimmed" mt="xs" visibleFrom="sm">
        {t('desk.keysHint')}
      </Text>
    </section>
  );
};
