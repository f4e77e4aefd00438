import { Button, Group, Paper, Select, Table, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api.ts';
import { BarPlot } from '../../components/BarPlot.tsx';
import { useFormat } from '../../format.ts';
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
            <Select
              aria-label={t('overview.site')}
              value={chosen ? site : allSites}
              onChange={(value) => setSite(value ?? allSites)}
              data={[{ value: allSites, label: t('overview.allSites') }, ...siteNames]}
              allowDeselect={false}
              searchable={siteNames.length > 8}
              w={200}
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
  return (
    <Table.ScrollContainer minWidth={280} mah={360}>
      <Table stickyHeader className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('overview.day')}</Table.Th>
            <Table.Th ta="end">{t('overview.created')}</Table.Th>
            <Table.Th ta="end">{t('overview.used')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ date, created, used }) => (
            <Table.Tr key={date}>
              <Table.Td>{format.shortDay(date)}</Table.Td>
              <Table.Td ta="end">{format.number(created)}</Table.Td>
              <Table.Td ta="end">{format.number(used)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};
