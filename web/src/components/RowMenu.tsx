import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface RowMenuProps {
  /** What it is about, for those who can not see where it stands. */
  readonly label: string;
  /** Items of a Mantine menu. */
  readonly children: ReactNode;
}

/** What can be done with a row of a table or with a card. */
export const RowMenu = ({ label, children }: RowMenuProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="default" size="lg" aria-label={label}>
        <Icon name="more" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
