import { Button, Group, NativeSelect, Paper, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { BarPlot } from '../../components/BarPlot.tsx';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { useFormat } from '../../i18n/format.ts';
import { countByDay, sumOf, type DayCount } from './voucherDays.ts';

const allSites = 'all';

/** Vouchers created and used by day, as a plot or as a table, of all sites or of one. */
export const VoucherPlot = ({ overview }: { readonly overview: Schemas['Overview'] }) => {
  const t = useTranslations();
  const format = useFormat();
  const [site, setSite] = useState(allSites);
  const [asTable, setAsTable] = useState(false);
  const chosen = overview.sites.find(({ id }) => String(id) === site);
  const days = countByDay(overview, chosen?.id);
  const sum = sumOf(days);
  const bars = days.map(({ date, created, used }) => ({
    id: date,
    label: format.shortDay(date),
    whole: created,
    part: used,
  }));
  const siteNames = overview.sites.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <Paper p="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} fz="lg">
          {t('overview.vouchers')}
        </Title>
        <Group gap="sm">
          {overview.sites.length > 1 && (
            <NativeSelect
              aria-label={t('overview.site')}
              value={chosen ? site : allSites}
              onChange={(event) => setSite(event.currentTarget.value)}
              data={[{ value: allSites, label: t('overview.allSites') }, ...siteNames]}
            />
          )}
          <Button variant="default" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? t('overview.asPlot') : t('overview.asTable')}
          </Button>
        </Group>
      </Group>
      {asTable ? (
        <DayTable days={days} />
      ) : (
        <BarPlot
          bars={bars}
          summary={t('overview.summary', { created: sum.created, used: sum.used, days: days.length })}
          wholeLabel={t('overview.createdCount', { count: sum.created })}
          partLabel={t('overview.usedCount', { count: sum.used })}
          describe={({ label, whole, part }) =>
            t('overview.dayReadout', { day: label, created: whole, used: part })
          }
        />
      )}
    </Paper>
  );
};

const DayTable = ({ days }: { readonly days: readonly DayCount[] }) => {
  const t = useTranslations();
  const format = useFormat();
  const columns: Column<DayCount>[] = [
    { id: 'day', label: t('overview.day'), render: ({ date }) => format.shortDay(date) },
    {
      id: 'created',
      label: t('overview.created'),
      isNumber: true,
      render: ({ created }) => format.number(created),
    },
    { id: 'used', label: t('overview.used'), isNumber: true, render: ({ used }) => format.number(used) },
  ];
  return (
    <DataTable
      caption={t('overview.vouchers')}
      columns={columns}
      rows={days.toReversed()}
      idOf={({ date }) => date}
    />
  );
};
