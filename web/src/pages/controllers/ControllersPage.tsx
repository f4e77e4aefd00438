import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const ControllersPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('controllers.title')} />;
};
