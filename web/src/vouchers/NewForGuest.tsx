import { ActionIcon, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/Icon.tsx';
import { useNow } from '../lib/useNow.ts';
import { toDeskSearch } from './deskSearch.ts';
import { isRevocable, stateAt, typedName, type Voucher } from './voucher.ts';

interface NewForGuestProps {
  readonly voucher: Voucher;
}

/** Opens the front desk for the guest of a voucher that is over. */
export const NewForGuestButton = ({ voucher }: NewForGuestProps) => {
  const t = useTranslations();
  return (
    <Button
      renderRoot={(props) => <Link {...props} to="/desk" search={toDeskSearch(voucher)} />}
      variant="default"
      leftSection={<Icon name="plus" size={18} />}
      w="fit-content"
    >
      {t('vouchers.newForGuest')}
    </Button>
  );
};

/** The same at the end of a row; its place is kept where there is nothing to do, so that columns stay in line. */
export const NewForGuestIcon = ({ voucher }: NewForGuestProps) => {
  const t = useTranslations();
  const isOver = !isRevocable(stateAt(voucher, useNow()));
  const name = typedName(voucher.name) || voucher.formattedCode;
  return (
    <span className="voucher-row-after" data-empty={!isOver || undefined}>
      {isOver && (
        <ActionIcon
          renderRoot={(props) => <Link {...props} to="/desk" search={toDeskSearch(voucher)} />}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('vouchers.newFor', { name })}
          title={t('vouchers.newForGuest')}
        >
          <Icon name="plus" size={18} />
        </ActionIcon>
      )}
    </span>
  );
};
