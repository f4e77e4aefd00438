import { Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';

type Term = Schemas['RetentionTerm'];

/** A name without a space: on a narrow phone it continues on the next line, and is not cut off. */
const SettingName = ({ name }: { readonly name: string }) => (
  <span>
    {name.split(/(?<=_)/).map((part) => (
      <Fragment key={part}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
);

/** How long records are kept. It is set in the environment of the service, and shown here only. */
export const RetentionTerms = ({ terms }: { readonly terms: readonly Term[] }) => {
  const t = useTranslations();
  const describeDays = (days: number | null): string => {
    if (days === null) return t('system.keptForGood');
    return days === 0 ? t('system.keptUntilNextDay') : t('system.keptDays', { count: days });
  };
  const columns: Column<Term>[] = [
    {
      id: 'kind',
      label: t('system.records'),
      render: ({ kind }) => (
        <Text size="sm" fw={600}>
          {t(`system.kept-${kind}`)}
        </Text>
      ),
    },
    { id: 'days', label: t('system.kept'), render: ({ days }) => describeDays(days) },
    {
      id: 'setting',
      label: t('system.setting'),
      render: ({ setting }) => (setting === null ? '–' : <SettingName name={setting} />),
    },
  ];
  return (
    <section>
      <Title order={2} fz="lg">
        {t('system.retention')}
      </Title>
      <Text c="dimmed" mb="sm">
        {t('system.retentionText')}
      </Text>
      <DataTable
        caption={t('system.retention')}
        columns={columns}
        rows={[...terms]}
        idOf={({ kind }) => kind}
      />
    </section>
  );
};
