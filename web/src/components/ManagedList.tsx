import { Button, Menu } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDialog } from '../lib/useDialog.ts';
import { useOpenedItem } from '../lib/useOpenedItem.ts';
import { EmptyState } from './EmptyState.tsx';
import { Icon, type IconName } from './Icon.tsx';
import { PageHeader } from './PageHeader.tsx';
import { QueryView } from './QueryView.tsx';
import { RowMenu } from './RowMenu.tsx';

/** Opens a dialog about an item of a list. */
export type OpenItem<T, Kind extends string> = (kind: Kind, item: T) => void;

interface ManagedListProps<Data, T, Kind extends string> {
  readonly icon: IconName;
  readonly texts: Readonly<Record<'title' | 'text' | 'add' | 'emptyTitle' | 'emptyText', string>>;
  readonly query: Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'refetch'>;
  readonly canAdd?: boolean;
  readonly itemsOf: (data: Data & {}) => readonly T[];
  readonly list: (items: readonly T[], open: OpenItem<T, Kind>) => ReactNode;
  readonly addDialog: (onClose: () => void, items: readonly T[]) => ReactNode;
  /** What is done with an item, each in a dialog. */
  readonly itemDialogs: Readonly<Record<Kind, (item: T, onClose: () => void) => ReactNode>>;
}

/** A page with a list whose items are added, changed and removed, each in a dialog that the address names. */
export const ManagedList = <Data, T extends { readonly id: number }, Kind extends string>(
  props: ManagedListProps<Data, T, Kind>,
) => {
  const { icon, texts, query, canAdd = true, itemsOf, list, addDialog, itemDialogs } = props;
  const shown = useDialog();
  const { dialog, open, close } = shown;
  const item = useOpenedItem(shown, query.data ? itemsOf(query.data) : undefined);
  const itemDialog = Object.entries<ManagedListProps<Data, T, Kind>['itemDialogs'][Kind]>(itemDialogs).find(
    ([kind]) => kind === dialog,
  )?.[1];
  const add = (
    <Button leftSection={<Icon name="plus" size={18} />} disabled={!canAdd} onClick={() => open('add')}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.title} description={texts.text} actions={add} />
      <QueryView query={query}>
        {(data) => {
          const items = itemsOf(data);
          return (
            <>
              {items.length === 0 ? (
                <EmptyState icon={icon} title={texts.emptyTitle} text={texts.emptyText} action={add} />
              ) : (
                list(items, (kind, { id: itemId }) => open(kind, itemId))
              )}
              {dialog === 'add' && canAdd && addDialog(close, items)}
              {item && itemDialog?.(item, close)}
            </>
          );
        }}
      </QueryView>
    </>
  );
};

interface ItemMenuProps<T> {
  readonly item: T & { readonly name: string };
  readonly open: OpenItem<T, 'change' | 'remove'>;
}

/** Changes or removes an item of a list. */
export const ItemMenu = <T,>({ item, open }: ItemMenuProps<T>) => {
  const t = useTranslations();
  return (
    <RowMenu label={t('common.actionsFor', { name: item.name })}>
      <Menu.Item onClick={() => open('change', item)}>{t('common.change')}</Menu.Item>
      <Menu.Item color="var(--mantine-color-error)" onClick={() => open('remove', item)}>
        {t('common.remove')}
      </Menu.Item>
    </RowMenu>
  );
};
