import { Alert, Anchor, Badge, Button, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { HealthBadge } from '../../components/HealthBadge.tsx';
import { Icon } from '../../components/Icon.tsx';
import { SyncItem } from '../../components/SyncItem.tsx';
import { RowMenu } from '../../components/RowMenu.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { usePickText } from '../../i18n/language.tsx';
import classes from './ControllerCard.module.css';
import type { Controller } from './controllerValues.ts';

interface ControllerCardProps {
  readonly controller: Controller;
  onTest(): void;
  onChange(): void;
  onRemove(): void;
}

/** A controller: where it is, how it is doing, and the sites on it. */
export const ControllerCard = ({ controller, onTest, onChange, onRemove }: ControllerCardProps) => {
  const t = useTranslations();
  const pick = usePickText();
  const { name, kind, url, trust, health, counts } = controller;
  const about = [
    t(`controllers.kind-${kind}`),
    ...(trust === null ? [] : [t('controllers.trust', { how: t(`controllers.trust-${trust}`) })]),
  ];
  return (
    <Paper p="lg" component="section" aria-label={name}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div className={classes['names']}>
            <Group gap="sm">
              <Title order={2} fz="lg">
                {name}
              </Title>
              <HealthBadge state={health.state} />
            </Group>
            <Text size="sm" c="dimmed">
              {about.join(' · ')}
            </Text>
            {counts && (
              <Text size="sm" c="dimmed">
                {[t(`controllers.time-${counts.time}`), t(`controllers.uses-${counts.uses ?? 'any'}`)].join(
                  ' · ',
                )}
              </Text>
            )}
            {url !== null && (
              <Text size="sm" c="dimmed" className="code">
                {url}
              </Text>
            )}
          </div>
          <Group gap="xs">
            <Button variant="default" onClick={onTest}>
              {t('controllers.test')}
            </Button>
            <RowMenu label={t('controllers.actionsFor', { name })}>
              <Menu.Item onClick={onChange}>{t('controllers.change')}</Menu.Item>
              <SyncItem controllerId={controller.id} />
              <Menu.Item onClick={onTest}>{t('controllers.addMoreSites')}</Menu.Item>
              <Menu.Item color="var(--mantine-color-error)" onClick={onRemove}>
                {t('controllers.remove')}
              </Menu.Item>
            </RowMenu>
          </Group>
        </Group>
        {health.lastError && health.state !== 'ok' && (
          <Alert color={health.state === 'open' ? 'red' : 'yellow'} icon={<Icon name="warning" />} p="sm">
            {pick(health.lastError)}
            {health.state === 'open' && <Text size="sm">{t('controllers.openText')}</Text>}
          </Alert>
        )}
        <Health health={health} />
        <Sites controller={controller} onAdd={onTest} />
      </Stack>
    </Paper>
  );
};

const Health = ({ health }: Pick<Controller, 'health'>) => {
  const t = useTranslations();
  const format = useFormat();
  const { lastSyncAt, calls, failures, latencyMs } = health;
  return (
    <dl className={`numbers ${classes['facts'] ?? ''}`}>
      <Fact label={t('controllers.lastSync')}>
        <Time at={lastSyncAt} none={t('controllers.never')} />
      </Fact>
      <Fact label={t('controllers.calls')}>{format.number(calls)}</Fact>
      <Fact label={t('controllers.failures')}>{format.number(failures)}</Fact>
      <Fact label={t('controllers.latency')}>
        {latencyMs === null
          ? '–'
          : t('controllers.milliseconds', { count: format.number(Math.round(latencyMs)) })}
      </Fact>
    </dl>
  );
};

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const Sites = ({ controller, onAdd }: { readonly controller: Controller; onAdd(): void }) => {
  const t = useTranslations();
  const { sites } = controller;
  if (sites.length === 0)
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {t('controllers.noSites')}
        </Text>
        <Button size="compact-sm" variant="light" onClick={onAdd}>
          {t('controllers.addMoreSites')}
        </Button>
      </Group>
    );
  return (
    <Group gap="xs">
      <Anchor component={Link} to="/sites" size="sm" fw={600}>
        {t('controllers.siteCount', { count: sites.length })}
      </Anchor>
      {sites.map(({ id, name, isActive }) => (
        <Badge key={id} color="gray" size="lg">
          {isActive ? name : t('controllers.inactiveSite', { name })}
        </Badge>
      ))}
    </Group>
  );
};
