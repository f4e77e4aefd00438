import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';

/** What every dialog about a user is given. */
export interface UserDialogProps {
  readonly user: Schemas['User'];
  onClose(): void;
}

interface UserModalProps {
  readonly title: string;
  readonly size?: string;
  /** Shows something once, which a click beside it must not lose. */
  readonly isSticky?: boolean;
  readonly children: ReactNode;
  onClose(): void;
}

export const UserModal = ({ title, size = 'md', isSticky = false, children, onClose }: UserModalProps) => {
  const t = useTranslations();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={!isSticky}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {children}
    </Modal>
  );
};
