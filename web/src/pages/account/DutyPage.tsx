import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { invalidate } from '../../api/queryClient.ts';
import { useCurrentUser, useSignOut } from '../../session/session.ts';
import { NarrowPage } from '../../shell/NarrowPage.tsx';
import { EnrolmentSteps } from './EnrolmentSteps.tsx';
import { PasswordForm } from './PasswordForm.tsx';

/** What has to be done before anything else: a password of one's own, then a second factor where the role needs one. */
export const DutyPage = () => {
  const t = useTranslations();
  const { mustChangePassword } = useCurrentUser();
  const signOut = useSignOut();
  return (
    <NarrowPage
      below={
        <Group justify="center">
          <Button variant="subtle" size="compact-sm" onClick={() => signOut.mutate({})}>
            {t('nav.signOut')}
          </Button>
        </Group>
      }
    >
      {mustChangePassword ? (
        <Stack>
          <Title order={1} fz="h2">
            {t('account.choosePassword')}
          </Title>
          <Text c="dimmed">{t('account.choosePasswordText')}</Text>
          <PasswordForm isFirst />
        </Stack>
      ) : (
        <Stack>
          <Title order={1} fz="h2">
            {t('account.setUpFactor')}
          </Title>
          <Text c="dimmed">{t('account.setUpFactorText')}</Text>
          <EnrolmentSteps onEnd={() => void invalidate('/session')} />
        </Stack>
      )}
    </NarrowPage>
  );
};
