import { Menu } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/Icon.tsx';
import { RowMenu } from '../components/RowMenu.tsx';

/** Something that can be done with a voucher: as a button, or in the menu. */
export interface VoucherAction {
  readonly id: string;
  readonly label: string;
  readonly icon: 'receipt' | 'mail' | 'sms' | 'download';
  readonly isPending: boolean;
  run(): void;
}

/** What is not done so often. */
export const MoreActions = ({ actions }: { readonly actions: readonly VoucherAction[] }) => {
  const t = useTranslations();
  return (
    <RowMenu label={t('desk.moreActions')}>
      {actions.map(({ id, label, icon, isPending, run }) => (
        <Menu.Item key={id} leftSection={<Icon name={icon} size={18} />} disabled={isPending} onClick={run}>
          {label}
        </Menu.Item>
      ))}
    </RowMenu>
  );
};
