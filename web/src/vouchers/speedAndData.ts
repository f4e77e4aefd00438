import { useTranslations } from 'use-intl';
import { useFormat } from '../i18n/format.ts';
import type { Limits } from './limits.ts';
import { dataUnits, speedUnits, unitFor, type Units } from './units.ts';

/** Speed and data in words, such as "↓ 20 Mbit/s · 1 GB", or that there is no limit. */
export const useSpeedAndDataText = (): ((limits: Pick<Limits, 'down' | 'up' | 'quotaMb'>) => string) => {
  const t = useTranslations();
  const format = useFormat();
  const amount = (value: number, units: Units): string => {
    const { name, factor } = unitFor(value, units);
    return `${format.number(value / factor)}\u00A0${t(`profiles.unit-${name}`)}`;
  };
  return ({ down, up, quotaMb }) =>
    [
      ...(down > 0 ? [t('profiles.downLimit', { amount: amount(down, speedUnits) })] : []),
      ...(up > 0 ? [t('profiles.upLimit', { amount: amount(up, speedUnits) })] : []),
      ...(quotaMb > 0 ? [amount(quotaMb, dataUnits)] : []),
    ]
      // A line never ends between an arrow and its number.
      .map((part) => part.replaceAll(' ', '\u00A0'))
      .join(' · ') || t('profiles.unlimited');
};
