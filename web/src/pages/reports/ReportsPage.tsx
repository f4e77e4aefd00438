import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { basePath } from '../../api/serviceMeta.ts';
import { BarPlot } from '../../components/BarPlot.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Figures } from '../../components/Figures.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { toPageLanguage } from '../../i18n/pageLanguages.ts';
import { useFilter } from '../../lib/useFilter.ts';
import { useCurrentUser } from '../../session/session.ts';
import { isMachine } from '../../vouchers/voucher.ts';
import { CountTable } from './CountTable.tsx';
import { toBars, unitOf } from './reportBars.ts';
import { ReportFilter } from './ReportFilter.tsx';
import { readReportSearch, toReportQuery } from './reportSearch.ts';

type Report = Schemas['Report'];

const isReversed = ({ from, to }: { readonly from: string; readonly to: string }): boolean => from > to;

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How many vouchers were created and used, in any period: as numbers, as a plot, as a file and on paper. */
export const ReportsPage = () => {
  const t = useTranslations();
  const format = useFormat();
  const language = toPageLanguage(useLanguage().language);
  const { role } = useCurrentUser();
  const search = useSearch({ from: '/reports' });
  const [filter, setFilter] = useFilter(readReportSearch({ ...search }));
  // A page that stays open over midnight keeps its period until it is opened again.
  const [today] = useState(() => new Date());
  const query = toReportQuery(readReportSearch({ ...search }), timeZone, today);
  const shown = toReportQuery(filter, timeZone, today);
  const report = api.useQuery(
    'get',
    '/reports',
    { params: { query } },
    { placeholderData: keepPreviousData, enabled: !isReversed(query) },
  );
  const sites = api.useQuery('get', '/sites').data?.sites ?? [];
  const profiles = api.useQuery('get', '/profiles').data?.profiles ?? [];
  const file = new URLSearchParams(
    Object.entries({ ...query, language }).map(([name, value]) => [name, String(value)]),
  );
  return (
    <>
      <PageHeader
        title={t('reports.title')}
        description={
          isReversed(query)
            ? undefined
            : t(query.from === query.to ? 'reports.textDay' : 'reports.text', {
                from: format.day(query.from),
                to: format.day(query.to),
                zone: timeZone,
              })
        }
        actions={
          <Group gap="sm" className="report-controls">
            <Button
              component="a"
              href={`${basePath}/web/reports.csv?${file.toString()}`}
              download
              variant="default"
              leftSection={<Icon name="download" size={18} />}
            >
              {t('reports.export')}
            </Button>
            <Button
              variant="default"
              leftSection={<Icon name="printers" size={18} />}
              onClick={() => window.print()}
            >
              {t('reports.print')}
            </Button>
          </Group>
        }
      />
      <Stack gap="lg">
        <ReportFilter
          value={filter}
          period={shown}
          today={today}
          sites={sites}
          profiles={profiles}
          creators={role === 'staff' ? undefined : (report.data?.creators ?? []).map(({ name }) => name)}
          onChange={setFilter}
        />
        {/* The filter says what is wrong. */}
        {!isReversed(shown) && (
          // The numbers of another period never stand below the name of this one, and are not printed there.
          <QueryView query={report.isPlaceholderData ? { ...report, data: undefined } : report} lines={6}>
            {(data) => <ReportView report={data} />}
          </QueryView>
        )}
      </Stack>
    </>
  );
};

const ReportView = ({ report }: { readonly report: Report }) => {
  const t = useTranslations();
  const format = useFormat();
  const { created, used, days, sites, profiles, states, creators } = report;
  if (created === 0)
    return <EmptyState icon="overview" title={t('reports.none')} text={t('reports.noneText')} />;
  const unit = unitOf(days.length);
  const bars = toBars(days, (date, barUnit) =>
    barUnit === 'month' ? format.month(date) : format.shortDay(date),
  );
  const listed = creators?.reduce((sum, creator) => sum + creator.created, 0) ?? 0;
  return (
    <Stack gap="lg">
      <Figures
        figures={[
          { label: t('reports.created'), value: created },
          { label: t('reports.used'), value: used },
          { label: t('reports.perDay'), value: created / days.length },
        ]}
      />
      <Paper p="lg" component="section">
        <Title order={2} fz="lg" mb="md">
          {t(`reports.per-${unit}`)}
        </Title>
        <BarPlot
          bars={bars}
          summary={t('reports.summary', { created, used, days: days.length })}
          wholeLabel={t('overview.createdCount', { count: created })}
          partLabel={t('overview.usedCount', { count: used })}
          describe={({ label, whole, part }) =>
            t('overview.dayReadout', { day: label, created: whole, used: part })
          }
        />
      </Paper>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <CountTable
          title={t('reports.bySite')}
          rows={sites.map(({ id, name, ...count }) => ({ key: String(id), name, ...count }))}
        />
        <CountTable
          title={t('reports.byProfile')}
          rows={profiles.map(({ id, name, ...count }) => ({
            key: String(id),
            name: name ?? t('reports.noProfile'),
            ...count,
          }))}
        />
        <CountTable
          title={t('reports.byState')}
          rows={states.map(({ state, ...count }) => ({
            key: state,
            name: t(`vouchers.state-${state}`),
            ...count,
          }))}
        />
        {creators && (
          <div>
            <CountTable
              title={t('reports.byCreator')}
              rows={creators.map(({ name, kind, ...count }) => ({
                key: `${kind ?? ''} ${name}`,
                name:
                  name === ''
                    ? t('reports.unknown')
                    : isMachine(kind)
                      ? t(`reports.creator-${kind}`, { name })
                      : name,
                ...count,
              }))}
            />
            {listed < created && (
              <Text size="sm" c="dimmed" mt="xs">
                {t('reports.others', { count: created - listed })}
              </Text>
            )}
          </div>
        )}
      </SimpleGrid>
    </Stack>
  );
};
