import { Group, Select, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useLanguage } from '../i18n/language.tsx';
import { pageLocaleOf } from '../i18n/pageLanguages.ts';
import { toAmount, toEntry, type AmountEntry, type GroupSeparator, type Units } from './units.ts';

interface UnitInputProps {
  readonly label: string;
  readonly description?: string;
  /** Shown where nothing is typed, which is 0. */
  readonly placeholder?: string;
  /** Whether a 0 that is typed is not a number (NaN), because only an empty field says that there is no limit. */
  readonly refusesZero?: boolean;
  readonly units: Units;
  /** In the smallest unit. */
  readonly value: number;
  readonly required?: boolean;
  readonly error?: ReactNode;
  onChange(value: number): void;
}

/** An amount with its unit beside it. The unit that is chosen stays, whatever is typed. */
export const UnitInput = (props: UnitInputProps) => {
  const { label, description, refusesZero = false, units, value, onChange, ...input } = props;
  const t = useTranslations();
  const { language } = useLanguage();
  const numbers = new Intl.NumberFormat(pageLocaleOf(language));
  const parsing = { refusesZero, group: groupSeparatorOf(numbers) };
  const [entered, setEntered] = useState(() => toEntry(value, units));
  // A value from elsewhere, such as that of an empty form, takes the place of what was typed.
  const entry = Object.is(toAmount(entered, parsing), value) ? entered : toEntry(value, units);
  const change = (changed: AmountEntry): void => {
    setEntered(changed);
    onChange(toAmount(changed, parsing));
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      {/* What is typed stays as it is: a number that is not understood is told, not turned into another one. */}
      <TextInput
        flex={1}
        label={label}
        description={description}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        {...input}
        value={typeof entry.typed === 'number' ? numbers.format(entry.typed) : entry.typed}
        onChange={(event) => change({ ...entry, typed: event.currentTarget.value })}
      />
      <Select
        w={130}
        aria-label={t('profiles.unitOf', { label })}
        allowDeselect={false}
        data={units.map(({ name }) => ({ value: name, label: t(`profiles.unit-${name}`) }))}
        value={entry.unit.name}
        onChange={(name) =>
          change({ ...entry, unit: units.find((unit) => unit.name === name) ?? entry.unit })
        }
      />
    </Group>
  );
};

const groupSeparatorOf = (formatted: Intl.NumberFormat): GroupSeparator => {
  const group = formatted.formatToParts(1_234_567).find(({ type }) => type === 'group')?.value;
  return group === '.' || group === ',' ? group : ' ';
};
