import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const SitesPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('sites.title')} />;
};
