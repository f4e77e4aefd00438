import { useTranslations } from 'use-intl';
import { PictureField } from '../../components/PictureField.tsx';

interface LogoFieldProps {
  readonly hasLogo: boolean;
  /** Called with an address that holds the picture, or null to have none. */
  onChange(logo: string | null): void;
}

/** Chooses the logo of a site. */
export const LogoField = ({ hasLogo, onChange }: LogoFieldProps) => {
  const t = useTranslations();
  return (
    <PictureField
      label={t('sites.logo')}
      description={t('sites.logoText')}
      choose={t('sites.chooseLogo')}
      replace={t('sites.replaceLogo')}
      remove={t('sites.removeLogo')}
      hasPicture={hasLogo}
      onChange={onChange}
    />
  );
};
