import { Badge, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import type { OpenItem } from '../../components/ManagedList.tsx';
import { ReorderHandle } from '../../components/ReorderHandle.tsx';
import { RowMenu } from '../../components/RowMenu.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useReorder } from '../../lib/useReorder.ts';
import { useNotify } from '../../notify/notify.tsx';
import { useSpeedAndDataText } from '../../vouchers/speedAndData.ts';
import { useProfileOrder } from './profileOrder.ts';

type Profile = Schemas['Profile'];

interface ProfileTableProps {
  readonly list: Schemas['ProfileList'];
  readonly sites: readonly Schemas['Site'][];
  readonly open: OpenItem<Profile, 'change' | 'remove'>;
}

const hintId = 'profile-order-hint';

/** The profiles in their order, which is changed here: by dragging, with the arrow keys, or by the menu of each. */
export const ProfileTable = ({ list, sites, open }: ProfileTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const speedAndData = useSpeedAndDataText();
  const { profiles, reorder } = useProfileOrder(list);
  const [announcement, setAnnouncement] = useState('');
  const ids = profiles.map(({ id }) => id);
  const { move, handleProps, rowProps } = useReorder(ids, (next, moved) => {
    const name = profiles.find(({ id }) => id === moved)?.name ?? '';
    setAnnouncement(t('profiles.moved', { name, place: next.indexOf(moved) + 1, count: next.length }));
    reorder(next);
  });
  const sitesOf = ({ siteIds }: Profile): string => {
    if (siteIds === null) return t('profiles.all');
    const names = siteIds.flatMap((siteId) => sites.find(({ id }) => id === siteId)?.name ?? []);
    return names.length <= 2 ? format.list(names) : t('profiles.siteCount', { count: siteIds.length });
  };
  const isOrdered = profiles.length > 1;
  const columns: Column<Profile>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: ({ id, name, isDefault }) => (
        <Group gap="xs" wrap="nowrap">
          {isOrdered && (
            <ReorderHandle
              label={t('profiles.move', { name, place: ids.indexOf(id) + 1, count: ids.length })}
              describedBy={hintId}
              {...handleProps(id)}
            />
          )}
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            {isDefault && <Badge>{t('profiles.default')}</Badge>}
          </Group>
        </Group>
      ),
    },
    {
      id: 'validity',
      label: t('profiles.validity'),
      render: ({ expireMinutes }) => format.duration(expireMinutes),
    },
    {
      id: 'uses',
      label: t('profiles.uses'),
      isNumber: true,
      render: ({ maxUses }) => format.number(maxUses),
    },
    {
      id: 'limits',
      label: t('profiles.limits'),
      render: speedAndData,
    },
    { id: 'sites', label: t('profiles.sites'), render: sitesOf },
    {
      id: 'actions',
      label: t('common.actions'),
      isAction: true,
      render: (profile) => (
        <ProfileMenu
          profile={profile}
          place={ids.indexOf(profile.id)}
          count={ids.length}
          onMove={(to) => move(profile.id, to)}
          open={open}
        />
      ),
    },
  ];
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" id={hintId}>
        {t(isOrdered ? 'profiles.orderText' : 'profiles.onlyText')}
      </Text>
      <DataTable
        caption={t('profiles.title')}
        columns={columns}
        rows={profiles}
        idOf={({ id }) => id}
        rowProps={({ id }) => rowProps(id)}
      />
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </Stack>
  );
};

interface ProfileMenuProps {
  readonly profile: Profile;
  /** From 0. */
  readonly place: number;
  readonly count: number;
  readonly open: ProfileTableProps['open'];
  onMove(to: number): void;
}

const ProfileMenu = ({ profile, place, count, open, onMove }: ProfileMenuProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id, name, isDefault } = profile;
  const setDefault = api.useMutation('put', '/default-profile', {
    onSuccess: () =>
      notify.done(isDefault ? t('profiles.noLongerDefault', { name }) : t('profiles.nowDefault', { name })),
    onError: notify.failed,
    onSettled: () => invalidate('/profiles', '/desk', '/audit'),
  });
  return (
    <RowMenu label={t('common.actionsFor', { name })}>
      <Menu.Item onClick={() => open('change', profile)}>{t('common.change')}</Menu.Item>
      <Menu.Item onClick={() => setDefault.mutate({ body: { profileId: isDefault ? null : id } })}>
        {isDefault ? t('profiles.clearDefault') : t('profiles.makeDefault')}
      </Menu.Item>
      {place > 0 && <Menu.Item onClick={() => onMove(place - 1)}>{t('profiles.moveUp')}</Menu.Item>}
      {place < count - 1 && <Menu.Item onClick={() => onMove(place + 1)}>{t('profiles.moveDown')}</Menu.Item>}
      <Menu.Item color="var(--mantine-color-error)" onClick={() => open('remove', profile)}>
        {t('common.remove')}
      </Menu.Item>
    </RowMenu>
  );
};
