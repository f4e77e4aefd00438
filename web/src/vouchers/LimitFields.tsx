import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../i18n/format.ts';
import { boundsOf, isAllowed, limitBounds, type Limits, type Narrowing } from './limits.ts';
import { UnitInput } from './UnitInput.tsx';
import { dataUnits, durationUnits, speedUnits, type Units } from './units.ts';

interface LimitFieldsProps {
  readonly value: Limits;
  /** What can be chosen, where that is less than everything. */
  readonly narrowing?: Narrowing;
  onChange(value: Limits): void;
}

/** What the controller of a site can not limit. */
const notKept = {
  expireMinutes: 'errors.field-invalid',
  maxUses: 'errors.uses-not-kept',
  down: 'errors.rates-not-kept',
  up: 'errors.rates-not-kept',
  quotaMb: 'errors.volume-not-kept',
} as const satisfies Record<keyof Limits, string>;

/** The fields of all limits, in units that people use. Each says what it takes. */
export const LimitFields = ({ value, narrowing = {}, onChange }: LimitFieldsProps) => {
  const t = useTranslations();
  const format = useFormat();
  // As the field holds it, which may be empty.
  const [typedUses, setTypedUses] = useState<number | string>(value.maxUses);
  const mostOf = (name: 'expireMinutes' | 'maxUses'): number | undefined => {
    const most = boundsOf(name, narrowing)?.most ?? Infinity;
    return most < limitBounds[name].most ? most : undefined;
  };
  const [mostMinutes, mostUses] = [mostOf('expireMinutes'), mostOf('maxUses')];
  const allowed = (name: keyof Limits, unit = ''): string => {
    const bounds = boundsOf(name, narrowing);
    if (!bounds) return t(notKept[name]);
    if (name === 'expireMinutes' && mostMinutes !== undefined && value[name] > mostMinutes)
      return t('profiles.atMost', { amount: format.duration(mostMinutes) });
    return t('profiles.allowed', { ...bounds, unit }).trim();
  };
  const amountProps = (name: keyof Limits, units: Units) => ({
    units,
    value: value[name],
    error: !isAllowed(name, value[name], narrowing) && allowed(name, t(`profiles.unit-${units[0].name}`)),
    ...(!boundsOf(name, narrowing) && value[name] === 0 && { description: t(notKept[name]) }),
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
        error={!isAllowed('maxUses', value.maxUses, narrowing) && allowed('maxUses')}
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
