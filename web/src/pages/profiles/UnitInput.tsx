import { Group, NumberInput, Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useLanguage } from '../../language.tsx';
import { unitFor, type Unit, type Units } from './units.ts';

interface UnitInputProps {
  readonly label: string;
  readonly description?: string;
  /** Shown where nothing is typed, which is 0. */
  readonly placeholder?: string;
  readonly units: Units;
  /** In the smallest unit. */
  readonly value: number;
  readonly required?: boolean;
  readonly error?: ReactNode;
  onChange(value: number): void;
}

/** An amount with its unit beside it. The unit that is chosen stays, whatever is typed. */
export const UnitInput = ({ label, description, units, value, onChange, ...input }: UnitInputProps) => {
  const t = useTranslations();
  const { language } = useLanguage();
  const [unit, setUnit] = useState(() => unitFor(value, units));
  const [typed, setTyped] = useState<number | string>(value === 0 ? '' : value / unit.factor);
  const change = (amount: number | string, { factor }: Unit): void =>
    onChange(typeof amount === 'number' ? Math.round(amount * factor) : 0);
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        flex={1}
        label={label}
        description={description}
        min={0}
        decimalScale={2}
        allowNegative={false}
        decimalSeparator={language === 'de' ? ',' : '.'}
        thousandSeparator={language === 'de' ? '.' : ','}
        hideControls
        inputMode="decimal"
        {...input}
        value={typed}
        onChange={(amount) => {
          setTyped(amount);
          change(amount, unit);
        }}
      />
      <Select
        w={130}
        aria-label={t('profiles.unitOf', { label })}
        allowDeselect={false}
        data={units.map(({ name }) => ({ value: name, label: t(`profiles.unit-${name}`) }))}
        value={unit.name}
        onChange={(name) => {
          const chosen = units.find((candidate) => candidate.name === name) ?? unit;
          setUnit(chosen);
          change(typed, chosen);
        }}
      />
    </Group>
  );
};
