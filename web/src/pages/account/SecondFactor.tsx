import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { useCurrentUser } from '../../session/session.ts';
import { CurrentPasswordForm } from './CurrentPasswordForm.tsx';
import { EnrolmentSteps } from './EnrolmentSteps.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Task = 'enrol' | 'renew' | 'remove';

/** The second factor of the user: set up, replaced, removed, and its recovery codes. */
export const SecondFactor = () => {
  const t = useTranslations();
  const { hasSecondFactor } = useCurrentUser();
  const [task, setTask] = useState<Task>();
  const end = (): void => setTask(undefined);
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw="30rem">
          {t('account.secondFactorText')}
        </Text>
        {hasSecondFactor ? (
          <StateBadge tone="good">{t('account.inUse')}</StateBadge>
        ) : (
          <StateBadge tone="neutral">{t('account.notInUse')}</StateBadge>
        )}
      </Group>
      {task === undefined && (
        <Group>
          <Button variant={hasSecondFactor ? 'default' : 'filled'} onClick={() => setTask('enrol')}>
            {hasSecondFactor ? t('account.replaceFactor') : t('account.setUp')}
          </Button>
          {hasSecondFactor && (
            <>
              <Button variant="default" onClick={() => setTask('renew')}>
                {t('account.renewCodes')}
              </Button>
              <Button variant="default" onClick={() => setTask('remove')}>
                {t('account.removeFactor')}
              </Button>
            </>
          )}
        </Group>
      )}
      {task === 'enrol' && <EnrolmentSteps onEnd={end} onCancel={end} />}
      {task === 'renew' && <RenewCodes onEnd={end} />}
      {task === 'remove' && <RemoveFactor onEnd={end} />}
    </Stack>
  );
};

const RenewCodes = ({ onEnd }: { readonly onEnd: () => void }) => {
  const t = useTranslations();
  const renew = api.useMutation('post', '/account/recovery-codes');
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} onStored={onEnd} />;
  return (
    <CurrentPasswordForm
      text={t('account.renewText')}
      action={t('account.renewCodes')}
      mutation={renew}
      onSubmit={(current) => renew.mutate({ body: { current } })}
      onCancel={onEnd}
    />
  );
};

const RemoveFactor = ({ onEnd }: { readonly onEnd: () => void }) => {
  const t = useTranslations();
  const notify = useNotify();
  const remove = api.useMutation('post', '/account/second-factor/remove', {
    onSuccess: async () => {
      notify.done(t('account.factorRemoved'));
      await invalidate('/session', '/account/sessions');
      onEnd();
    },
  });
  return (
    <CurrentPasswordForm
      text={t('account.removeText')}
      action={t('account.removeFactor')}
      mutation={remove}
      onSubmit={(current) => remove.mutate({ body: { current } })}
      onCancel={onEnd}
    />
  );
};
