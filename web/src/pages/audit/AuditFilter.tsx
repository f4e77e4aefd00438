import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { dayStart } from '../../i18n/format.ts';

type Area = Schemas['AuditArea'];

const areas = [
  'user',
  'session',
  'key',
  'controller',
  'site',
  'webhook',
  'profile',
  'printer',
  'voucher',
  'kiosk',
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

/** The parameters of the API; what is not filtered by is left out. */
export const toQuery = ({ area, actorName, from, to }: AuditFilterValue) => ({
  ...(area !== null && { area }),
  ...(actorName.trim() !== '' && { actorName: actorName.trim() }),
  ...(from !== '' && { from: dayStart(from) }),
  ...(to !== '' && { to: dayStart(to, 1) }),
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
