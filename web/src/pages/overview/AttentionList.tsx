import { Alert, Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { PagePath } from '../../../../src/pages/pagePaths.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { useFormat } from '../../i18n/format.ts';
import { usePickText } from '../../i18n/language.tsx';

type Attention = Schemas['Attention'];

/** Where something can be done about it. */
const places: Readonly<Record<Attention['kind'], PagePath>> = {
  'no-controllers': '/controllers',
  'no-sites': '/controllers',
  'controller-failing': '/controllers',
  'controller-open': '/controllers',
  'webhook-off': '/webhooks',
  'webhook-failing': '/webhooks',
  'deliveries-failed': '/webhooks',
  'intents-open': '/system',
  'key-expires': '/keys',
  'demo-key': '/keys',
};

/** What the first steps say, too. */
export const coveredBySteps: ReadonlySet<Attention['kind']> = new Set(['no-controllers', 'no-sites']);

/** What an administrator should look at, each with the page where that is done. */
export const AttentionList = ({ items }: { readonly items: readonly Attention[] }) => {
  const t = useTranslations();
  const format = useFormat();
  const pick = usePickText();
  if (items.length === 0) return null;
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={t('overview.attention')}>
      <List spacing="xs" size="sm" listStyleType="none">
        {items.map(({ kind, subject, count, at, reason }) => (
          <List.Item key={`${kind} ${subject ?? ''}`}>
            <Text component="span" size="sm">
              {t(`overview.attention-${kind}`, {
                subject: subject ?? '',
                count: count ?? 0,
                time: at == null ? '' : format.relative(at),
                reason: reason == null ? '' : pick(reason),
              })}{' '}
            </Text>
            <Anchor component={Link} to={places[kind]} size="sm" underline="always">
              {t(`overview.todo-${kind}`)}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};
