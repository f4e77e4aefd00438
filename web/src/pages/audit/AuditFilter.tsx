import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { readChoice, readText } from '../../lib/search.ts';
import { auditAreas, readAuditSearch, toAuditQuery, type AuditFilterValue } from './auditSearch.ts';

interface AuditFilterProps {
  readonly value: AuditFilterValue;
  onChange(value: AuditFilterValue): void;
}

export const AuditFilter = ({ value, onChange }: AuditFilterProps) => {
  const t = useTranslations();
  const isEmpty = Object.keys(toAuditQuery(value)).length === 0;
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={t('audit.area')}
        data={[
          { value: '', label: t('audit.allAreas') },
          ...auditAreas.map((area) => ({ value: area, label: t(`audit.area-${area}`) })),
        ]}
        value={value.area ?? ''}
        onChange={(event) => onChange({ ...value, area: readChoice(event.currentTarget.value, auditAreas) })}
        w={{ base: '100%', xs: 200 }}
      />
      <TextInput
        label={t('audit.actor')}
        value={value.actorName ?? ''}
        onChange={(event) => onChange({ ...value, actorName: readText(event.currentTarget.value) })}
        maxLength={255}
        w={{ base: '100%', xs: 200 }}
      />
      <TextInput
        type="date"
        label={t('audit.from')}
        value={value.from ?? ''}
        max={value.to}
        onChange={(event) => onChange({ ...value, from: readText(event.currentTarget.value) })}
      />
      <TextInput
        type="date"
        label={t('audit.to')}
        value={value.to ?? ''}
        min={value.from}
        onChange={(event) => onChange({ ...value, to: readText(event.currentTarget.value) })}
      />
      {!isEmpty && (
        <Button variant="subtle" onClick={() => onChange(readAuditSearch({}))}>
          {t('audit.clear')}
        </Button>
      )}
    </Group>
  );
};
