import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { QueryView } from '../../components/QueryView.tsx';
import { SessionTable } from '../../components/SessionTable.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';

/** One's own sessions; each but this one can be ended. */
export const OwnSessions = () => {
  const t = useTranslations();
  const notify = useNotify();
  const sessions = api.useQuery('get', '/account/sessions');
  const end = api.useMutation('delete', '/account/sessions/{sessionId}', {
    onSuccess: () => notify.done(t('account.sessionEnded')),
    onError: notify.failed,
    onSettled: () => invalidate('/account/sessions'),
  });
  return (
    <QueryView query={sessions} lines={3}>
      {(data) => (
        <SessionTable
          sessions={data.sessions}
          onEnd={({ id }) => end.mutate({ params: { path: { sessionId: id } } })}
        />
      )}
    </QueryView>
  );
};
