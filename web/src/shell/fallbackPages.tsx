import { Button } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../components/EmptyState.tsx';

/** For an address without a page, and for pages that are not for this user. */
export const PageNotFound = () => {
  const t = useTranslations();
  return (
    <EmptyState
      isPage
      icon="question"
      title={t('common.notFoundTitle')}
      text={t('common.notFoundText')}
      action={
        <Button component={Link} to="/">
          {t('common.toStart')}
        </Button>
      }
    />
  );
};

/** For a page whose script failed, or could not be loaded because the service was updated meanwhile. */
export const PageFailed = ({ error }: ErrorComponentProps) => {
  const t = useTranslations();
  return (
    <EmptyState
      isPage
      icon="error"
      title={t('common.pageFailedTitle')}
      text={t('common.pageFailedText', { reason: error instanceof Error ? error.message : String(error) })}
      action={<Button onClick={() => location.reload()}>{t('common.reload')}</Button>}
    />
  );
};
