import { Button, Group } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, type Schemas } from '../../api.ts';
import { useNotify } from '../../notify.tsx';
import { invalidate } from '../../queryClient.ts';

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
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t('sites.changeOf', { name })}
        onClick={onChange}
      >
        {t('sites.change')}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        loading={change.isPending}
        aria-label={t(isActive ? 'sites.switchOffOf' : 'sites.switchOnOf', { name })}
        onClick={toggle}
      >
        {isActive ? t('sites.switchOff') : t('sites.switchOn')}
      </Button>
    </Group>
  );
};
