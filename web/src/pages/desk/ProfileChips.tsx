import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../i18n/format.ts';
import { findRefused, type Limits } from '../../vouchers/limits.ts';
import { useSpeedAndDataText } from '../../vouchers/speedAndData.ts';
import { orderableProfiles } from '../../vouchers/initialProfile.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import type { Choice } from './orderDraft.ts';
import classes from './ProfileChips.module.css';

interface ProfileChipsProps {
  readonly site: DeskSite;
  readonly value: Choice;
  /** Whether values of one's own can be chosen. */
  readonly allowsCustom: boolean;
  /** Whether somebody has tried to order without choosing. */
  readonly isMissing: boolean;
  readonly firstInput: RefObject<HTMLInputElement | null>;
  onChange(value: number | 'own'): void;
}

interface Chip {
  readonly id: number | 'own';
  readonly name: string;
  readonly details: readonly string[];
  readonly isDisabled?: boolean;
  readonly isFirst: boolean;
}

const errorId = 'profile-missing';

const labels = {
  expireMinutes: 'profiles.validity',
  maxUses: 'profiles.uses',
  down: 'profiles.down',
  up: 'profiles.up',
  quotaMb: 'profiles.data',
} as const satisfies Record<keyof Limits, string>;

/**
 * The profiles side by side with time, sign-ins and limits, and values of one's own as the last choice. Radio buttons
 * that look like chips.
 */
export const ProfileChips = (props: ProfileChipsProps) => {
  const { site, value, allowsCustom, isMissing, firstInput, onChange } = props;
  const t = useTranslations();
  const format = useFormat();
  const speedAndData = useSpeedAndDataText();
  const { profiles } = site;
  const chip = ({ id, name, details, isDisabled = false, isFirst }: Chip) => (
    <label key={id} className={classes['chip']}>
      <input
        ref={isFirst ? firstInput : undefined}
        disabled={isDisabled}
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
  const [first] = orderableProfiles(site);
  const profileChip = (profile: DeskSite['profiles'][number]) => {
    const refused = findRefused(profile, { ranges: site.limitRanges });
    const limits = [...new Set(refused.map((limit) => t(labels[limit])))].join(', ');
    return chip({
      id: profile.id,
      name: profile.name,
      details: [...detailsOf(profile), ...(refused.length > 0 ? [t('desk.notHere', { limits })] : [])],
      isDisabled: refused.length > 0,
      isFirst: profile === first,
    });
  };
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
        {profiles.map(profileChip)}
        {allowsCustom &&
          chip({ id: 'own', name: t('desk.own'), details: [t('desk.ownHint')], isFirst: !first })}
        {!allowsCustom && profiles.length === 0 && <p className={classes['none']}>{t('desk.noProfile')}</p>}
      </div>
    </fieldset>
  );
};
