import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../i18n/format.ts';
import { isAllowed, limitBounds, type Limits } from './limits.ts';
import { UnitInput } from './UnitInput.tsx';
import { dataUnits, durationUnits, speedUnits, type Units } from './units.ts';

interface LimitFieldsProps {
  readonly value: Limits;
  /** How far the user may go, where that is less than everything. */
  readonly most?: Partial<Limits>;
  onChange(value: Limits): void;
}

/** The fields of all limits, in units that people use. Each says what it takes. */
export const LimitFields = ({ value, most: allowedMost = {}, onChange }: LimitFieldsProps) => {
  const t = useTranslations();
  const format = useFormat();
  // As the field holds it, which may be empty.
  const [typedUses, setTypedUses] = useState<number | string>(value.maxUses);
  const { expireMinutes: mostMinutes, maxUses: mostUses } = allowedMost;
  const allowed = (name: keyof Limits, unit = ''): string => {
    if (name === 'expireMinutes' && mostMinutes !== undefined && value[name] > mostMinutes)
      return t('profiles.atMost', { amount: format.duration(mostMinutes) });
    const { least } = limitBounds[name];
    const most = Math.min(limitBounds[name].most, allowedMost[name] ?? Infinity);
    return t('profiles.allowed', { least, most, unit }).trim();
  };
  const amountProps = (name: keyof Limits, units: Units) => ({
    units,
    value: value[name],
    error: !isAllowed(name, value[name], allowedMost) && allowed(name, t(`profiles.unit-${units[0].name}`)),
    onChange: (amount: number): void => onChange({ ...value, [name]: amount }),
  });
  return (
    <>
      <UnitInput
        label={t('profiles.validity')}
        description={
          !Number.isFinite(value.expireMinutes)
            ? ''
            : mostMinutes === undefined
              ? t('profiles.validityText', { duration: format.duration(value.expireMinutes) })
              : t('profiles.validityMost', {
                  duration: format.duration(value.expireMinutes),
                  most: format.duration(mostMinutes),
                })
        }
        required
        {...amountProps('expireMinutes', durationUnits)}
      />
      <NumberInput
        label={t('profiles.uses')}
        description={
          mostUses === undefined ? t('profiles.usesText') : t('profiles.usesMost', { most: mostUses })
        }
        min={limitBounds.maxUses.least}
        max={mostUses ?? limitBounds.maxUses.most}
        // A fraction or a 0 is told, not turned into another number.
        clampBehavior="none"
        allowedDecimalSeparators={['.', ',']}
        allowNegative={false}
        required
        value={Number(typedUses) === value.maxUses ? typedUses : value.maxUses}
        error={!isAllowed('maxUses', value.maxUses, allowedMost) && allowed('maxUses')}
        onChange={(typed) => {
          setTypedUses(typed);
          onChange({ ...value, maxUses: Number(typed) });
        }}
      />
      <UnitInput
        label={t('profiles.down')}
        placeholder={t('profiles.unlimited')}
        {...amountProps('down', speedUnits)}
      />
      <UnitInput
        label={t('profiles.up')}
        placeholder={t('profiles.unlimited')}
        {...amountProps('up', speedUnits)}
      />
      <UnitInput
        label={t('profiles.data')}
        placeholder={t('profiles.unlimited')}
        {...amountProps('quotaMb', dataUnits)}
      />
    </>
  );
};
