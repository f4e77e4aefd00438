import { Button, Group } from '@mantine/core';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../api/schemas.ts';
import { Icon } from '../components/Icon.tsx';
import { useNow } from '../lib/useNow.ts';
import { LazyPrintDialog, LazyRevokeDialog } from './dialogs.ts';
import { useSaveTable } from './files.ts';
import { isRevocable, mayBeHandedOut, stateAt, type DeskSite, type Voucher } from './voucher.ts';

interface ManyActionsProps {
  readonly selection: Schemas['VoucherSelection'];
  /** Those of the selection. */
  readonly vouchers: readonly Voucher[];
  readonly revokeText: string;
  /** Of all of them, where they have one in common. */
  readonly site?: DeskSite | undefined;
  readonly isPrinting: boolean;
  onPrinting(isOpen: boolean): void;
  /** Buttons for what else can be done. */
  readonly children?: ReactNode;
}

/** What can be done with several vouchers: a sheet to print, a table, and, apart, revocation. */
export const ManyActions = (props: ManyActionsProps) => {
  const { selection, vouchers, revokeText, isPrinting, onPrinting, children } = props;
  const t = useTranslations();
  const [isRevoking, setRevoking] = useState(false);
  const saveTable = useSaveTable();
  const now = useNow();
  const withState = (is: typeof isRevocable): Voucher[] =>
    vouchers.filter((voucher) => is(stateAt(voucher, now)));
  const [printable, revocable] = [withState(mayBeHandedOut), withState(isRevocable)];
  return (
    <Group gap="xs" justify="space-between" flex={1}>
      <Group gap="xs">
        {printable.length > 0 && (
          <Button leftSection={<Icon name="sheet" size={18} />} onClick={() => onPrinting(true)}>
            {t('desk.slipsPdf')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<Icon name="download" size={18} />}
          loading={saveTable.isPending}
          onClick={() => saveTable.mutate(selection)}
        >
          {t('desk.csv')}
        </Button>
        {children}
      </Group>
      {revocable.length > 0 && (
        <Button
          variant="subtle"
          color="red"
          c="var(--mantine-color-error)"
          leftSection={<Icon name="blocked" size={18} />}
          onClick={() => setRevoking(true)}
        >
          {revokeText}
        </Button>
      )}
      <Suspense>
        {isPrinting && printable.length > 0 && (
          <LazyPrintDialog
            selection={selection}
            vouchers={printable}
            leftOut={vouchers.length - printable.length}
            site={props.site}
            onClose={() => onPrinting(false)}
          />
        )}
        {isRevoking && (
          <LazyRevokeDialog
            selection={selection}
            count={revocable.length}
            onClose={() => setRevoking(false)}
          />
        )}
      </Suspense>
    </Group>
  );
};
