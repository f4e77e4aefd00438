import { Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Sparkline } from '../../components/Sparkline.tsx';
import { useFormat } from '../../i18n/format.ts';
import { countByDay, sumOf } from './voucherDays.ts';

type Overview = Schemas['Overview'];

/** The sites, each with its vouchers. */
export const SiteTable = ({ overview }: { readonly overview: Overview }) => {
  const t = useTranslations();
  const format = useFormat();
  const rows = overview.sites.map((site) => {
    const days = countByDay(overview, site.id);
    return { ...site, days, ...sumOf(days) };
  });
  const columns: Column<(typeof rows)[number]>[] = [
    {
      id: 'name',
      label: t('overview.site'),
      render: ({ name }) => (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ),
    },
    { id: 'valid', label: t('overview.valid'), isNumber: true, render: ({ valid }) => format.number(valid) },
    {
      id: 'created',
      label: t('overview.created'),
      isNumber: true,
      render: ({ created }) => format.number(created),
    },
    { id: 'used', label: t('overview.used'), isNumber: true, render: ({ used }) => format.number(used) },
    {
      id: 'plot',
      label: t('overview.course'),
      render: ({ name, days, created }) => (
        <Sparkline
          bars={days.map((day) => ({ whole: day.created, marked: 0 }))}
          label={t('overview.courseLabel', { name, count: created })}
        />
      ),
    },
  ];
  return (
    <section>
      <Title order={2} fz="lg" mb="sm">
        {t('overview.sites')}
      </Title>
      {rows.length === 0 ? (
        <EmptyState icon="sites" title={t('overview.noSites')} text={t('overview.noSitesText')} />
      ) : (
        <DataTable caption={t('overview.sites')} columns={columns} rows={rows} idOf={({ id }) => id} />
      )}
    </section>
  );
};
