import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';
import { useLanguage } from '../../i18n/language.tsx';
import { languageNames, languages, toPageLanguage } from '../../i18n/pageLanguages.ts';
import { useNotify } from '../../notify/notify.tsx';
import { useCurrentUser } from '../../session/session.ts';
import { useChooseLanguage } from '../../shell/preferences.ts';
import { OwnProfile } from './OwnProfile.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { api } from '../../api/api.ts';
import { QueryView } from '../../components/QueryView.tsx';
import { SessionTable } from '../../components/SessionTable.tsx';
import { invalidate } from '../../api/queryClient.ts';

/** What somebody may do for themselves. */
export const AccountPage = () => {
  const t = useTranslations();
  const user = useCurrentUser();
  const notify = useNotify();
  const { language } = useLanguage();
  const choose = useChooseLanguage();
  return (
    <>
      <PageHeader title={t('account.title')} description={t('account.signedInAs', { name: user.name })} />
      <Stack gap="lg" maw="48rem">
        <Paper p="lg">
          <Title order={2} fz="lg" mb="sm">
            {t('account.profile')}
          </Title>
          <OwnProfile />
        </Paper>
        <Paper p="lg">
          <Group justify="space-between">
            <Title order={2} fz="lg" id="account-language">
              {t('account.language')}
            </Title>
            <SegmentedControl
              aria-labelledby="account-language"
              value={toPageLanguage(language)}
              onChange={choose}
              data={languages.map((value) => ({ value, label: languageNames[value] }))}
            />
          </Group>
        </Paper>
        <Paper p="lg">
          <Title order={2} fz="lg" mb="sm">
            {t('account.password')}
          </Title>
          {user.hasPassword ? (
            <PasswordForm onChanged={() => notify.done(t('account.passwordChanged'))} />
          ) : (
            <Text c="dimmed">{t('account.noPassword')}</Text>
          )}
        </Paper>
        {user.hasPassword && (
          <Paper p="lg">
            <Title order={2} fz="lg" mb="sm">
              {t('account.secondFactor')}
            </Title>
            <SecondFactor />
          </Paper>
        )}
        <div>
          <Title order={2} fz="lg" mb="sm">
            {t('account.sessions')}
          </Title>
          <OwnSessions />
        </div>
      </Stack>
    </>
  );
};

/** One's own sessions; each but this one can be ended. */
const OwnSessions = () => {
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
