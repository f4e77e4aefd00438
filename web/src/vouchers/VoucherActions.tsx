import { Button, Group, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../components/CopyField.tsx';
import { Icon } from '../components/Icon.tsx';
import { useShortcuts, type ShortcutPlace } from '../lib/shortcuts.ts';
import { useNow } from '../lib/useNow.ts';
import { LazyEmailDialog, LazyRevokeDialog } from './dialogs.ts';
import { usualLayout, useSaveSlips } from './files.ts';
import { useGuestLanguage } from './guestLanguage.tsx';
import { GuestLanguageSelect } from './GuestLanguageSelect.tsx';
import { paperForOne } from './papers.ts';
import { printSlip } from './printSlip.ts';
import { ReceiptButtons } from './ReceiptButtons.tsx';
import {
  isRevocable,
  mayBeHandedOut,
  selectVouchers,
  stateAt,
  type DeskSite,
  type Voucher,
} from './voucher.ts';

interface VoucherActionsProps {
  readonly voucher: Voucher;
  readonly site: DeskSite | undefined;
  readonly hasEmail: boolean;
  /** Where they are shown: `p` prints there. */
  readonly place: ShortcutPlace;
}

/** What can be done with one voucher that is shown large: PrintedSlip has to be there, too. */
export const VoucherActions = ({ voucher, site, hasEmail, place }: VoucherActionsProps) => {
  const t = useTranslations();
  const [dialog, setDialog] = useState<'email' | 'revoke'>();
  const [language] = useGuestLanguage();
  const save = useSaveSlips();
  const selection = selectVouchers([voucher.id]);
  const close = (): void => setDialog(undefined);
  const state = stateAt(voucher, useNow());
  const print = (): void => void printSlip();
  useShortcuts(mayBeHandedOut(state) ? { p: print } : {}, place);
  if (!mayBeHandedOut(state))
    return (
      <Text c="dimmed">
        {state === 'gone' && t('desk.gone')} {t('desk.notHandedOut')}
      </Text>
    );
  return (
    <Group gap="xs">
      <Button leftSection={<Icon name="printers" size={18} />} onClick={print}>
        {t('desk.print')}
      </Button>
      <CopyButton text={voucher.formattedCode} size="sm" />
      <Button
        variant="default"
        leftSection={<Icon name="download" size={18} />}
        loading={save.isPending}
        onClick={() =>
          save.mutate({
            ...selection,
            ...usualLayout,
            ...paperForOne(site?.slipPaper),
            firstLabel: 1,
            language,
          })
        }
      >
        {t('desk.pdf')}
      </Button>
      <ReceiptButtons selection={selection} printers={site?.printers ?? []} />
      {hasEmail && (
        <Button
          variant="default"
          leftSection={<Icon name="mail" size={18} />}
          onClick={() => setDialog('email')}
        >
          {t('desk.email')}
        </Button>
      )}
      {isRevocable(state) && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<Icon name="blocked" size={18} />}
          onClick={() => setDialog('revoke')}
        >
          {t('desk.revoke')}
        </Button>
      )}
      <GuestLanguageSelect isButton />
      <Suspense>
        {dialog === 'email' && <LazyEmailDialog voucher={voucher} onClose={close} />}
        {dialog === 'revoke' && (
          <LazyRevokeDialog selection={selection} count={1} code={voucher.formattedCode} onClose={close} />
        )}
      </Suspense>
    </Group>
  );
};
