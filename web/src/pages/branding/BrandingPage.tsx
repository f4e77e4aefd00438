import { useTranslations } from 'use-intl';
import { useBrand } from '../../api/brand.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { StoredForm } from '../../components/StoredForm.tsx';
import { BrandingForm } from './BrandingForm.tsx';

/** Title, logo, colour and icon of the pages. */
export const BrandingPage = () => {
  const t = useTranslations();
  const branding = useBrand();
  return (
    <>
      <PageHeader title={t('branding.title')} description={t('branding.text')} />
      <StoredForm stored={branding}>
        {(stored, onState) => <BrandingForm branding={stored} onState={onState} />}
      </StoredForm>
    </>
  );
};
