import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { HealthBadge } from '../../components/HealthBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { usePickText } from '../../i18n/language.tsx';

type ListedController = Schemas['Overview']['controllers'][number];

/** The controllers and how they are doing. */
export const ControllerHealthList = ({
  controllers,
}: {
  readonly controllers: readonly ListedController[];
}) => {
  const t = useTranslations();
  const pick = usePickText();
  const columns: Column<ListedController>[] = [
    {
      id: 'name',
      label: t('overview.controller'),
      render: ({ name, health }) => (
        <Stack gap={2}>
          <Anchor component={Link} to="/controllers" size="sm" fw={600}>
            {name}
          </Anchor>
          {health.lastError && health.state !== 'ok' && (
            <Text size="xs" c="dimmed">
              {pick(health.lastError)}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'state', label: t('overview.state'), render: ({ health }) => <HealthBadge state={health.state} /> },
    {
      id: 'sync',
      label: t('overview.lastSync'),
      render: ({ health }) => <Time at={health.lastSyncAt} none={t('overview.never')} />,
    },
  ];
  return (
    <section>
      <Title order={2} fz="lg" mb="sm">
        {t('overview.controllers')}
      </Title>
      {controllers.length === 0 ? (
        <EmptyState
          icon="controllers"
          title={t('overview.noControllers')}
          text={t('overview.noControllersText')}
          action={
            <Button component={Link} to="/controllers">
              {t('overview.addController')}
            </Button>
          }
        />
      ) : (
        <DataTable
          caption={t('overview.controllers')}
          columns={columns}
          rows={controllers}
          idOf={({ id }) => id}
        />
      )}
    </section>
  );
};
