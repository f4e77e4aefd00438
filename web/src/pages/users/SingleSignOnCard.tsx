import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { QueryView } from '../../components/QueryView.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';

/** Whether people can sign in at an identity provider, and the way to set it up. */
export const SingleSignOnCard = ({ onChange }: { readonly onChange: () => void }) => {
  const t = useTranslations();
  const provider = api.useQuery('get', '/identity-provider');
  return (
    <Paper p="lg" maw="48rem">
      <Group justify="space-between" mb={4}>
        <Title order={2} fz="lg">
          {t('users.singleSignOnTitle')}
        </Title>
        {provider.data && (
          <StateBadge tone={provider.data.fault === null ? 'good' : 'neutral'}>
            {provider.data.fault === null ? t('users.singleSignOnOn') : t('users.singleSignOnOff')}
          </StateBadge>
        )}
      </Group>
      <Text c="dimmed" mb="md">
        {t('users.singleSignOnText')}
      </Text>
      <QueryView query={provider} lines={1}>
        {({ issuer }) => (
          <Group justify="space-between">
            <Text style={{ overflowWrap: 'anywhere' }}>{issuer ?? ''}</Text>
            <Button variant="default" onClick={onChange}>
              {issuer === null ? t('users.singleSignOnSetUp') : t('common.change')}
            </Button>
          </Group>
        )}
      </QueryView>
    </Paper>
  );
};
