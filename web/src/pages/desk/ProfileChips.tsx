import { useTranslations } from 'use-intl';
import { useFormat } from '../../i18n/format.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import classes from './ProfileChips.module.css';

interface ProfileChipsProps {
  readonly profiles: DeskSite['profiles'];
  readonly value: number | 'own';
  onChange(value: number | 'own'): void;
}

/** The profiles side by side, and values of one's own as the last choice. Radio buttons that look like chips. */
export const ProfileChips = ({ profiles, value, onChange }: ProfileChipsProps) => {
  const t = useTranslations();
  const format = useFormat();
  const chip = (id: number | 'own', name: string, detail: string) => (
    <label key={id} className={classes['chip']}>
      <input
        type="radio"
        name="profile"
        className={classes['input']}
        checked={value === id}
        onChange={() => onChange(id)}
      />
      <span className={classes['name']}>{name}</span>
      <span className={classes['detail']}>{detail}</span>
    </label>
  );
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{t('desk.profile')}</legend>
      <div className={classes['chips']}>
        {profiles.map(({ id, name, expireMinutes }) => chip(id, name, format.duration(expireMinutes)))}
        {chip('own', t('desk.own'), t('desk.ownHint'))}
      </div>
    </fieldset>
  );
};
