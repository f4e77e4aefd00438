import { Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { QueryView } from '../../components/QueryView.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';

const roles = ['admin', 'staff', 'viewer'] as const satisfies readonly Schemas['Role'][];

/** Which roles have to have a second factor. */
export const SignInRules = () => {
  const t = useTranslations();
  const notify = useNotify();
  const rules = api.useQuery('get', '/sign-in-rules');
  const change = api.useMutation('put', '/sign-in-rules', {
    onSuccess: () => notify.done(t('users.rulesChanged')),
    onError: notify.failed,
    onSettled: () => invalidate('/sign-in-rules', '/session'),
  });
  return (
    <Paper p="lg" maw="48rem">
      <Title order={2} fz="lg">
        {t('users.rules')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('users.rulesText')}
      </Text>
      <QueryView query={rules} lines={2}>
        {({ secondFactorRoles }) => (
          <Stack gap="sm">
            {roles.map((role) => (
              <Switch
                key={role}
                label={t(`users.rule-${role}`)}
                checked={secondFactorRoles.includes(role)}
                disabled={change.isPending}
                onChange={(event) =>
                  change.mutate({
                    body: {
                      secondFactorRoles: event.currentTarget.checked
                        ? [...secondFactorRoles, role]
                        : secondFactorRoles.filter((other) => other !== role),
                    },
                  })
                }
              />
            ))}
          </Stack>
        )}
      </QueryView>
    </Paper>
  );
};
