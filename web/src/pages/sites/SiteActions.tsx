import { Menu } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { RowMenu } from '../../components/RowMenu.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';

interface SiteActionsProps {
  readonly site: Schemas['Site'];
  onChange(): void;
}

/** Opens the settings of a site, and switches it on or off, which can be undone. */
export const SiteActions = ({ site, onChange }: SiteActionsProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id: siteId, name, isActive } = site;
  const change = api.useMutation('patch', '/sites/{siteId}', {
    onError: notify.failed,
    onSettled: () => invalidate('/sites', '/controllers', '/overview'),
  });
  const setActive = (next: boolean, onSuccess?: () => void): void =>
    change.mutate(
      { params: { path: { siteId } }, body: { isActive: next } },
      { ...(onSuccess && { onSuccess }) },
    );
  const toggle = (): void =>
    setActive(!isActive, () =>
      notify.undoable(t(isActive ? 'sites.switchedOff' : 'sites.switchedOn', { name }), () =>
        setActive(isActive),
      ),
    );
  return (
    <RowMenu label={t('sites.actionsFor', { name })}>
      <Menu.Item onClick={onChange}>{t('sites.change')}</Menu.Item>
      <Menu.Item onClick={toggle}>{isActive ? t('sites.switchOff') : t('sites.switchOn')}</Menu.Item>
    </RowMenu>
  );
};
