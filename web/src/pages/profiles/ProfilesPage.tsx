import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const ProfilesPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('profiles.title')} />;
};
