import { Button, Group, Stack, Text } from '@mantine/core';
import { Suspense, useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../api/schemas.ts';
import { CopyButton } from '../components/CopyField.tsx';
import { Icon } from '../components/Icon.tsx';
import { useShortcuts, type ShortcutPlace } from '../lib/shortcuts.ts';
import { useNow } from '../lib/useNow.ts';
import { LazyEmailDialog, LazyMoreActions, LazyRevokeDialog, LazySmsDialog } from './dialogs.ts';
import { usualLayout, useSaveSlips } from './files.ts';
import { useGuestLanguage } from './guestLanguage.tsx';
import { GuestLanguageSelect } from './GuestLanguageSelect.tsx';
import type { VoucherAction } from './MoreActions.tsx';
import { NewForGuestButton } from './NewForGuest.tsx';
import { paperForOne } from './papers.ts';
import { usePrintReceipts } from './printReceipts.ts';
import { printSlip } from './printSlip.ts';
import {
  isRevocable,
  mayBeHandedOut,
  selectVouchers,
  stateAt,
  typedName,
  type DeskSite,
  type Voucher,
} from './voucher.ts';

interface VoucherActionsProps {
  readonly voucher: Voucher;
  readonly site: DeskSite | undefined;
  readonly desk: Pick<Schemas['Desk'], 'hasEmail' | 'sms'> | undefined;
  /** Where they are shown: `p` prints there. */
  readonly place: ShortcutPlace;
}

/**
 * What can be done with one voucher that is shown large: PrintedSlip has to be there, too. Printing, copying and one more
 * are buttons, the rest is in a menu, and what can't be undone stands apart.
 */
export const VoucherActions = ({ voucher, site, desk, place }: VoucherActionsProps) => {
  const t = useTranslations();
  const [dialog, setDialog] = useState<'email' | 'sms' | 'revoke'>();
  const [language] = useGuestLanguage();
  const save = useSaveSlips();
  const selection = selectVouchers([voucher.id]);
  const receipts = usePrintReceipts();
  const close = (): void => setDialog(undefined);
  const state = stateAt(voucher, useNow());
  const print = (): void => void printSlip();
  const isHandedOut = mayBeHandedOut(state);
  const whatIsLeft = useFocusAtEnd(isHandedOut);
  useShortcuts(isHandedOut ? { p: print } : {}, place);
  if (!isHandedOut)
    return (
      <Stack gap="sm" ref={whatIsLeft}>
        <Text c="dimmed">
          {state === 'gone' && t('desk.gone')} {t('desk.notHandedOut')}
        </Text>
        <NewForGuestButton voucher={voucher} />
      </Stack>
    );
  const actions: VoucherAction[] = [
    ...(site?.printers ?? []).map((printer): VoucherAction => ({
      id: `receipt-${String(printer.id)}`,
      icon: 'receipt',
      label: t('desk.printOn', { name: printer.name, count: 1 }),
      isPending: receipts.pendingId === printer.id,
      run: () => receipts.print(printer, [voucher.id]),
    })),
    ...(desk?.hasEmail
      ? [
          {
            ...({ id: 'email', icon: 'mail', isPending: false } as const),
            label: t('desk.email'),
            run: () => setDialog('email'),
          },
        ]
      : []),
    ...(desk?.sms
      ? [
          {
            ...({ id: 'sms', icon: 'sms', isPending: false } as const),
            label: t('desk.sms'),
            run: () => setDialog('sms'),
          },
        ]
      : []),
    {
      id: 'pdf',
      icon: 'download',
      isPending: save.isPending,
      label: t('desk.pdf'),
      run: () =>
        save.mutate({
          ...selection,
          ...usualLayout,
          ...paperForOne(site?.slipPaper),
          firstLabel: 1,
          language,
        }),
    },
  ];
  const [first, ...others] = actions;
  return (
    <Stack gap="sm">
      {!isRevocable(state) && <NewForGuestButton voucher={voucher} />}
      <Group gap="xs">
        <Button leftSection={<Icon name="printers" size={18} />} onClick={print}>
          {t('desk.print')}
        </Button>
        <CopyButton text={voucher.formattedCode} size="sm" />
        {first && (
          <Button
            variant="default"
            leftSection={<Icon name={first.icon} size={18} />}
            loading={first.isPending}
            onClick={first.run}
          >
            {first.label}
          </Button>
        )}
        {others.length > 0 && (
          <Suspense>
            <LazyMoreActions actions={others} />
          </Suspense>
        )}
      </Group>
      <Group gap="xs" justify="space-between">
        <GuestLanguageSelect isButton />
        {isRevocable(state) && (
          <Button
            variant="subtle"
            color="red"
            c="var(--mantine-color-error)"
            leftSection={<Icon name="blocked" size={18} />}
            onClick={() => setDialog('revoke')}
          >
            {t('desk.revoke')}
          </Button>
        )}
      </Group>
      <Suspense>
        {dialog === 'email' && <LazyEmailDialog voucher={voucher} onClose={close} />}
        {dialog === 'sms' && desk?.sms && (
          <LazySmsDialog voucher={voucher} countryCode={desk.sms.countryCode} onClose={close} />
        )}
        {dialog === 'revoke' && (
          <LazyRevokeDialog
            selection={selection}
            count={1}
            code={voucher.formattedCode}
            guest={typedName(voucher.name)}
            onClose={close}
          />
        )}
      </Suspense>
    </Stack>
  );
};

/** When a voucher is over, the button that had the focus is gone: what can still be done gets it. */
const useFocusAtEnd = (isHandedOut: boolean): RefObject<HTMLDivElement | null> => {
  const whatIsLeft = useRef<HTMLDivElement>(null);
  const wasHandedOut = useRef(isHandedOut);
  useEffect(() => {
    if (wasHandedOut.current && !isHandedOut && document.activeElement === document.body)
      whatIsLeft.current?.querySelector('a')?.focus();
    wasHandedOut.current = isHandedOut;
  }, [isHandedOut]);
  return whatIsLeft;
};
