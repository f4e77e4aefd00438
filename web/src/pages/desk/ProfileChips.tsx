import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../i18n/format.ts';
import { useSpeedAndDataText } from '../../vouchers/speedAndData.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import type { Choice } from './orderDraft.ts';
import classes from './ProfileChips.module.css';

interface ProfileChipsProps {
  readonly profiles: DeskSite['profiles'];
  readonly value: Choice;
  /** Whether values of one's own can be chosen. */
  readonly allowsCustom: boolean;
  /** Whether somebody has tried to order without choosing. */
  readonly isMissing: boolean;
  readonly firstInput: RefObject<HTMLInputElement | null>;
  onChange(value: number | 'own'): void;
}

const errorId = 'profile-missing';

/**
 * The profiles side by side with time, sign-ins and limits, and values of one's own as the last choice. Radio buttons
 * that look like chips.
 */
export const ProfileChips = (props: ProfileChipsProps) => {
  const { profiles, value, allowsCustom, isMissing, firstInput, onChange } = props;
  const t = useTranslations();
  const format = useFormat();
  const speedAndData = useSpeedAndDataText();
  const chip = (id: number | 'own', name: string, details: readonly string[], isFirst: boolean) => (
    <label key={id} className={classes['chip']}>
      <input
        ref={isFirst ? firstInput : undefined}
        type="radio"
        name="profile"
        className={classes['input']}
        aria-describedby={isMissing ? errorId : undefined}
        checked={value === id}
        onChange={() => onChange(id)}
      />
      <span className={classes['name']}>{name}</span>
      {details.map((detail) => (
        <span key={detail} className={classes['detail']}>
          {detail}
        </span>
      ))}
    </label>
  );
  const detailsOf = (profile: DeskSite['profiles'][number]): string[] => {
    const { expireMinutes, maxUses, down, up, quotaMb } = profile;
    return [
      `${format.duration(expireMinutes)} · ${t('desk.tileUses', { count: maxUses })}`,
      ...(down > 0 || up > 0 || quotaMb > 0 ? [speedAndData(profile)] : []),
    ];
  };
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{t('desk.profile')}</legend>
      {isMissing && (
        <p id={errorId} role="alert" className={classes['missing']}>
          {t('desk.chooseProfile')}
        </p>
      )}
      <div className={classes['chips']}>
        {profiles.map((profile, index) => chip(profile.id, profile.name, detailsOf(profile), index === 0))}
        {allowsCustom && chip('own', t('desk.own'), [t('desk.ownHint')], profiles.length === 0)}
        {!allowsCustom && profiles.length === 0 && <p className={classes['none']}>{t('desk.noProfile')}</p>}
      </div>
    </fieldset>
  );
};
