import { Button, Menu } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { EmptyState } from './EmptyState.tsx';
import { Icon, type IconName } from './Icon.tsx';
import { PageHeader } from './PageHeader.tsx';
import { QueryView } from './QueryView.tsx';
import { RowMenu } from './RowMenu.tsx';

/** What is done with an item of a list, in a dialog. */
type ItemTask<T> = { readonly kind: 'change' | 'remove'; readonly item: T };
export type OnItemTask<T> = (task: ItemTask<T>) => void;

interface ManagedListProps<Data, T> {
  readonly icon: IconName;
  readonly texts: Readonly<Record<'title' | 'text' | 'add' | 'emptyTitle' | 'emptyText', string>>;
  readonly query: Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'refetch'>;
  readonly itemsOf: (data: Data & {}) => readonly T[];
  readonly table: (items: readonly T[], onTask: OnItemTask<T>) => ReactNode;
  /** Adds an item, or changes the given one. */
  readonly saveDialog: (item: T | undefined, onClose: () => void) => ReactNode;
  readonly removeDialog: (item: T, onClose: () => void) => ReactNode;
}

/** A page with a list whose items are added, changed and removed, each in a dialog. */
export const ManagedList = <Data, T>(props: ManagedListProps<Data, T>) => {
  const { icon, texts, query, itemsOf, table, saveDialog, removeDialog } = props;
  const [task, setTask] = useState<ItemTask<T> | { readonly kind: 'add' }>();
  const end = (): void => setTask(undefined);
  const add = (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setTask({ kind: 'add' })}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.title} description={texts.text} actions={add} />
      <QueryView query={query}>
        {(data) => {
          const items = itemsOf(data);
          return items.length === 0 ? (
            <EmptyState icon={icon} title={texts.emptyTitle} text={texts.emptyText} action={add} />
          ) : (
            table(items, setTask)
          );
        }}
      </QueryView>
      {task?.kind === 'add' && saveDialog(undefined, end)}
      {task?.kind === 'change' && saveDialog(task.item, end)}
      {task?.kind === 'remove' && removeDialog(task.item, end)}
    </>
  );
};

interface ItemMenuProps<T> {
  readonly item: T & { readonly name: string };
  readonly onTask: OnItemTask<T>;
}

/** Changes or removes an item of a list. */
export const ItemMenu = <T,>({ item, onTask }: ItemMenuProps<T>) => {
  const t = useTranslations();
  return (
    <RowMenu label={t('common.actionsFor', { name: item.name })}>
      <Menu.Item onClick={() => onTask({ kind: 'change', item })}>{t('common.change')}</Menu.Item>
      <Menu.Item color="var(--mantine-color-error)" onClick={() => onTask({ kind: 'remove', item })}>
        {t('common.remove')}
      </Menu.Item>
    </RowMenu>
  );
};
