import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import classes from './SlipPreview.module.css';

interface SlipPreviewProps {
  readonly name: string;
  readonly ssid: string;
  readonly slipText: string;
  /** An address that holds the picture. */
  readonly logo: string | null;
}

/** The head of a slip about as it is printed: on white paper, in the dark, too. */
export const SlipPreview = ({ name, ssid, slipText, logo }: SlipPreviewProps) => {
  const t = useTranslations();
  return (
    <figure className={classes['figure']}>
      <Text component="figcaption" size="sm" c="dimmed" mb={6}>
        {t('sites.preview')}
      </Text>
      <div className={classes['slip']}>
        {logo !== null && <img src={logo} alt={t('sites.logo')} className={classes['logo']} />}
        <div className={classes['name']}>{name.trim()}</div>
        {ssid.trim() !== '' && (
          <div className={classes['network']}>
            {t('sites.network')} <strong>{ssid.trim()}</strong>
          </div>
        )}
        <div className={`code ${classes['code'] ?? ''}`}>12345-67890</div>
        {slipText.trim() !== '' && <div className={classes['text']}>{slipText.trim()}</div>}
      </div>
    </figure>
  );
};
