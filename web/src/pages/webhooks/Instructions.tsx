import { List, Paper, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import type { Messages } from '../../texts/messages.ts';

export type Platform = Schemas['WebhookFormat'];

/** The most common first. */
export const platforms = [
  'slack',
  'teams',
  'discord',
  'mattermost',
  'google-chat',
  'generic',
  'php-tool',
] as const satisfies readonly Platform[];

const stepNumbers = [1, 2, 3, 4, 5] as const;

/** What to click on a platform to get an address, step by step. */
export const Instructions = ({ platform }: { readonly platform: Platform }) => {
  const t = useTranslations();
  const keys = stepNumbers
    .map((number) => `webhooks.how-${platform}-${number}` as `webhooks.${keyof Messages['webhooks']}`)
    // Some ways are shorter.
    .filter((key) => t.has(key));
  return (
    <Paper p="md" radius="md" bg="var(--page-ground)">
      <Text size="sm" fw={600} mb="xs">
        {platform === 'generic' || platform === 'php-tool'
          ? t('webhooks.howGeneric')
          : t('webhooks.how', { platform: t(`webhooks.platform-${platform}`) })}
      </Text>
      <List type="ordered" size="sm" spacing={4}>
        {keys.map((key) => (
          <List.Item key={key}>{t(key as 'webhooks.how-slack-1')}</List.Item>
        ))}
      </List>
    </Paper>
  );
};
