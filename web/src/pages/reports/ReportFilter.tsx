import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { readChoice, readText } from '../../lib/search.ts';
import { voucherStates } from '../../vouchers/voucher.ts';
import { periodNames, periodOf, type ReportFilterValue } from './reportSearch.ts';

interface NamedItem {
  readonly id: number;
  readonly name: string;
}

interface ReportFilterProps {
  readonly value: ReportFilterValue;
  readonly period: { readonly from: string; readonly to: string };
  readonly today: Date;
  readonly sites: readonly NamedItem[];
  readonly profiles: readonly NamedItem[];
  /** Names to choose from; undefined where the reader may not see who created vouchers. */
  readonly creators: readonly string[] | undefined;
  onChange(value: ReportFilterValue): void;
}

const idOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** What a report is about: its days, and whose vouchers. */
export const ReportFilter = (props: ReportFilterProps) => {
  const { value, period, today, sites, profiles, creators, onChange } = props;
  const t = useTranslations();
  const change = (changed: Partial<ReportFilterValue>): void => onChange({ ...value, ...changed });
  const any = { value: '', label: t('reports.any') };
  // Two beside each other where a phone has room for two dates.
  const width = { flex: '1 1 9.5rem', maw: { xs: 180 } };
  const options = (items: readonly NamedItem[]) => [
    any,
    ...items.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <Stack gap="sm" role="search" className="report-controls">
      <Group gap="xs">
        {periodNames.map((name) => {
          const days = periodOf(name, today);
          const isChosen = days.from === period.from && days.to === period.to;
          return (
            <Button
              key={name}
              size="compact-md"
              variant={isChosen ? 'light' : 'default'}
              aria-pressed={isChosen}
              onClick={() => change(days)}
            >
              {t(`reports.period-${name}`)}
            </Button>
          );
        })}
      </Group>
      <Group align="flex-start" gap="sm">
        <TextInput
          type="date"
          label={t('reports.from')}
          {...width}
          required
          withAsterisk={false}
          error={period.from > period.to && t('reports.reversed')}
          value={period.from}
          max={period.to}
          onChange={(event) => change({ ...period, from: readText(event.currentTarget.value) })}
        />
        <TextInput
          type="date"
          label={t('reports.to')}
          {...width}
          required
          withAsterisk={false}
          value={period.to}
          min={period.from}
          onChange={(event) => change({ ...period, to: readText(event.currentTarget.value) })}
        />
        {sites.length > 1 && (
          <NativeSelect
            label={t('reports.site')}
            {...width}
            data={options(sites)}
            value={String(value.siteId ?? '')}
            onChange={(event) => change({ siteId: idOf(event.currentTarget.value) })}
          />
        )}
        {profiles.length > 0 && (
          <NativeSelect
            label={t('reports.profile')}
            {...width}
            data={options(profiles)}
            value={String(value.profileId ?? '')}
            onChange={(event) => change({ profileId: idOf(event.currentTarget.value) })}
          />
        )}
        <NativeSelect
          label={t('reports.state')}
          {...width}
          data={[
            any,
            ...voucherStates.map((state) => ({
              value: state,
              label: state === 'expired' ? t('vouchers.expiredOrGone') : t(`vouchers.state-${state}`),
            })),
          ]}
          value={value.state ?? ''}
          onChange={(event) => change({ state: readChoice(event.currentTarget.value, voucherStates) })}
        />
        {creators && (
          <>
            <TextInput
              label={t('reports.creator')}
              list="report-creators"
              maxLength={300}
              {...width}
              value={value.createdBy ?? ''}
              onChange={(event) => change({ createdBy: readText(event.currentTarget.value) })}
            />
            <datalist id="report-creators">
              {creators.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </datalist>
          </>
        )}
      </Group>
    </Stack>
  );
};
