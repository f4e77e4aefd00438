import { Button, Group, Paper, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ManyActions } from '../../vouchers/ManyActions.tsx';
import { selectVouchers, type Voucher } from '../../vouchers/voucher.ts';
import { maxSelected } from './voucherSearch.ts';
import classes from './SelectionBar.module.css';

interface SelectionBarProps {
  readonly selected: readonly Voucher[];
  readonly isPrinting: boolean;
  onPrinting(isOpen: boolean): void;
  onClear(): void;
}

/** What can be done with the vouchers that are ticked. */
export const SelectionBar = ({ selected, isPrinting, onPrinting, onClear }: SelectionBarProps) => {
  const t = useTranslations();
  const count = selected.length;
  return (
    <Paper
      className={classes['bar'] ?? ''}
      px="md"
      py="sm"
      shadow="md"
      role="region"
      aria-label={t('vouchers.selection')}
    >
      <Group justify="space-between" gap="xs">
        <Text fw={600} className="numbers" aria-live="polite">
          {t('vouchers.selected', { count })}
          {count >= maxSelected && ` · ${t('vouchers.selectedMost')}`}
        </Text>
        <ManyActions
          selection={selectVouchers(selected.map(({ id }) => id))}
          vouchers={selected}
          revokeText={t('desk.revoke')}
          isPrinting={isPrinting}
          onPrinting={onPrinting}
        >
          <Button variant="subtle" onClick={onClear}>
            {t('vouchers.clearSelection')}
          </Button>
        </ManyActions>
      </Group>
    </Paper>
  );
};
