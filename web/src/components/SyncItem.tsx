import { Menu } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../api/api.ts';
import { invalidate } from '../api/queryClient.ts';
import { usePickText } from '../i18n/language.tsx';
import { useNotify } from '../notify/notify.tsx';

/** An entry of a menu that compares the vouchers with their controller now, and says what came of it. */
export const SyncItem = ({ controllerId }: { readonly controllerId: number }) => {
  const t = useTranslations();
  const pick = usePickText();
  const notify = useNotify();
  const sync = api.useMutation('post', '/controllers/{controllerId}/sync', {
    onSuccess: ({ state, changed, gone, problem }) => {
      if (state === 'done') notify.done(t('sync.done', { changed, gone }));
      else if (state === 'running') notify.done(t('sync.running'));
      else notify.unsure(problem ? pick(problem) : t('errors.unexpected'));
    },
    onError: notify.failed,
    onSettled: () => invalidate('/controllers', '/vouchers', '/overview'),
  });
  return (
    <Menu.Item disabled={sync.isPending} onClick={() => sync.mutate({ params: { path: { controllerId } } })}>
      {t('sync.now')}
    </Menu.Item>
  );
};
