import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api.ts';

type Area = Schemas['AuditArea'];

const areas = [
  'user',
  'session',
  'key',
  'controller',
  'site',
  'webhook',
  'profile',
  'voucher',
  'secret',
] as const satisfies readonly Area[];

export interface AuditFilterValue {
  readonly area: Area | null;
  readonly actorName: string;
  /** Days as a date field writes them, or empty. */
  readonly from: string;
  readonly to: string;
}

export const noFilter: AuditFilterValue = { area: null, actorName: '', from: '', to: '' };

/** Midnight of a day where this browser is, or of the day after it. */
const midnight = (date: string, daysLater = 0): string => {
  const time = new Date(`${date}T00:00:00`);
  time.setDate(time.getDate() + daysLater);
  return time.toISOString();
};

/** The parameters of the API; what is not filtered by is left out. */
export const toQuery = ({ area, actorName, from, to }: AuditFilterValue) => ({
  ...(area !== null && { area }),
  ...(actorName.trim() !== '' && { actorName: actorName.trim() }),
  ...(from !== '' && { from: midnight(from) }),
  ...(to !== '' && { to: midnight(to, 1) }),
});

interface AuditFilterProps {
  readonly value: AuditFilterValue;
  onChange(value: AuditFilterValue): void;
}

export const AuditFilter = ({ value, onChange }: AuditFilterProps) => {
  const t = useTranslations();
  const isEmpty = Object.keys(toQuery(value)).length === 0;
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={t('audit.area')}
        data={[
          { value: '', label: t('audit.allAreas') },
          ...areas.map((area) => ({ value: area, label: t(`audit.area-${area}`) })),
        ]}
        value={value.area ?? ''}
        onChange={(event) =>
          onChange({ ...value, area: areas.find((area) => area === event.currentTarget.value) ?? null })
        }
        w={{ base: '100%', xs: 200 }}
      />
      <TextInput
        label={t('audit.actor')}
        value={value.actorName}
        onChange={(event) => onChange({ ...value, actorName: event.currentTarget.value })}
        maxLength={255}
        w={{ base: '100%', xs: 200 }}
      />
      <TextInput
        type="date"
        label={t('audit.from')}
        value={value.from}
        max={value.to}
        onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('audit.to')}
        value={value.to}
        min={value.from}
        onChange={(event) => onChange({ ...value, to: event.currentTarget.value })}
      />
      {!isEmpty && (
        <Button variant="subtle" onClick={() => onChange(noFilter)}>
          {t('audit.clear')}
        </Button>
      )}
    </Group>
  );
};
