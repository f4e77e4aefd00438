import { Divider, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../api/schemas.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { PrintedSlip, useSlip } from '../../vouchers/PrintedSlip.tsx';
import { printSlip } from '../../vouchers/printSlip.ts';
import type { Voucher } from '../../vouchers/voucher.ts';
import { VoucherActions } from '../../vouchers/VoucherActions.tsx';
import { VoucherCard } from '../../vouchers/VoucherCard.tsx';
import { FailedOrder, ManyVouchers, OrderProgress } from './OrderResult.tsx';
import { usePrintAtOnce } from './printAtOnce.ts';

/** An order, as it goes on. */
export const ShownOrder = ({
  order,
  desk,
  onAgain,
}: {
  readonly order: Schemas['Order'];
  readonly desk: Schemas['Desk'];
  readonly onAgain: ((order: Schemas['Order']) => void) | undefined;
}) => {
  const [isPrinting, setPrinting] = useState(false);
  const [first] = order.vouchers;
  const isMany = order.count > 1;
  const site = desk.sites.find(({ id }) => id === order.siteId);
  const { slip } = useSlip(isMany ? undefined : first);
  usePrintAtOnce({
    order,
    site,
    isReady: isMany || slip !== undefined,
    onPrint: () => (isMany ? setPrinting(true) : void printSlip()),
  });
  useShortcuts(isMany && order.state !== 'open' && order.made > 0 ? { p: () => setPrinting(true) } : {});
  if (order.state === 'open') return <OrderProgress order={order} />;
  if (order.made === 0) return <FailedOrder order={order} onAgain={onAgain && (() => onAgain(order))} />;
  if (isMany)
    return <ManyVouchers order={order} site={site} printing={isPrinting} onPrinting={setPrinting} />;
  return first && <OneVoucher voucher={first} desk={desk} />;
};

/** One voucher, large, with what can be done with it. */
export const OneVoucher = ({
  voucher,
  desk,
}: {
  readonly voucher: Voucher;
  readonly desk: Schemas['Desk'];
}) => {
  const site = desk.sites.find(({ id }) => id === voucher.siteId);
  return (
    <Stack>
      <VoucherCard voucher={voucher} site={site} />
      <Divider />
      <VoucherActions key={voucher.id} voucher={voucher} site={site} desk={desk} place="page" />
      <PrintedSlip voucher={voucher} site={site} />
    </Stack>
  );
};
