import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const OverviewPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('overview.title')} />;
};
