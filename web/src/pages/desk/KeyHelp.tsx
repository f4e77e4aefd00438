import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import classes from './KeyHelp.module.css';

const keys = [
  ['Enter', 'enter'],
  ['n', 'new'],
  ['/', 'search'],
  ['p', 'print'],
  ['↑ ↓', 'arrows'],
  ['?', 'help'],
] as const;

/** The keys of the front desk. */
export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations();
  return (
    <Dialog onClose={onClose} title={t('desk.keys')}>
      <dl className={classes['keys']}>
        {keys.map(([key, name]) => (
          <div key={name} className={classes['line']}>
            <dt>
              <kbd className={classes['key']}>{key}</kbd>
            </dt>
            <dd className={classes['text']}>{t(`desk.key-${name}`)}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" c="dimmed" mt="md">
        {t('desk.keysText')}
      </Text>
    </Dialog>
  );
};
