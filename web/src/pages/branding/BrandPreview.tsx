import { Alert, Input, SimpleGrid, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { grounds, toPalette, type SchemePalette } from '../../../../src/branding/palette.ts';
import { basePath } from '../../api/serviceMeta.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import classes from './Branding.module.css';
import { readTone } from './readTone.ts';

type Tone = NonNullable<Schemas['BrandLogo']>['tone'];

interface BrandPreviewProps {
  readonly title: string;
  /** Null for that of the pages. */
  readonly colour: string | null;
  /** Addresses of pictures. */
  readonly logo: string | null;
  readonly icon: string | null;
  /** Of the logo; undefined for one that the service does not know yet. */
  readonly tone: Tone | undefined;
}

/** The pages' own colours, as far as the preview shows them. */
const ownPalette: Readonly<Record<'light' | 'dark', SchemePalette>> = {
  light: {
    filled: '#0b6e6e',
    filledHover: '#075a5a',
    text: '#0b6e6e',
    soft: '#ddf0ef',
    softHover: '#d0ecea',
    softText: '#075a5a',
  },
  dark: {
    filled: '#127a73',
    filledHover: '#0b6e6e',
    text: '#4fd1c5',
    soft: '#1b3a40',
    softHover: '#1b3a40',
    softText: '#7fe0d6',
  },
};

/** How the pages will look, light and dark, and whether the colour had to be changed to be readable. */
export const BrandPreview = ({ title, colour, logo, icon, tone }: BrandPreviewProps) => {
  const t = useTranslations();
  const palette = colour === null ? ownPalette : toPalette(colour);
  const measured = useTone(tone === undefined ? logo : null);
  const samples = [
    ['light', '#14213d'],
    ['dark', '#e8ecf4'],
  ] as const;
  const used = [...new Set([palette.light.filled, palette.dark.filled, palette.dark.text])];
  const isChanged = colour !== null && used.some((one) => one !== colour);
  return (
    <Stack gap="xs" role="group" aria-label={t('branding.preview')}>
      <Input.Label labelElement="div">{t('branding.preview')}</Input.Label>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {samples.map(([scheme, ink]) => (
          <Sample
            key={scheme}
            title={title}
            logo={logo}
            icon={icon}
            scheme={scheme}
            ink={ink}
            name={t(`common.scheme-${scheme}`)}
            tone={tone ?? measured}
            palette={palette[scheme]}
          />
        ))}
      </SimpleGrid>
      {isChanged && (
        <Alert color="yellow" icon={<Icon name="info" />} p="sm" role="status">
          {t('branding.adjusted', {
            colour,
            light: palette.light.filled,
            dark: palette.dark.filled,
            links: palette.dark.text,
          })}
        </Alert>
      )}
    </Stack>
  );
};

const useTone = (picture: string | null): Tone | undefined => {
  const [tone, setTone] = useState<Tone>();
  useEffect(() => {
    let isCurrent = true;
    if (picture !== null)
      void readTone(picture).then((found) => {
        if (isCurrent) setTone(found);
      });
    return () => {
      isCurrent = false;
    };
  }, [picture]);
  return tone;
};

interface SampleProps extends BrandPreviewProps {
  readonly name: string;
  readonly scheme: 'light' | 'dark';
  readonly ink: string;
  readonly palette: SchemePalette;
}

const Sample = ({ name, scheme, title, logo, icon, tone, ink, palette }: Omit<SampleProps, 'colour'>) => {
  const t = useTranslations();
  const { card, page } = grounds[scheme];
  return (
    <div className={classes['sample']} style={{ background: page, color: ink }}>
      <div className={classes['tab']} style={{ background: card }}>
        <img src={icon ?? `${basePath}/docs/logo.svg`} alt="" width={16} height={16} />
        <span dir="auto">
          {name} · {title}
        </span>
      </div>
      <div className={classes['page']} style={{ background: card }}>
        {logo === null ? (
          <span className={classes['title']} dir="auto">
            {title}
          </span>
        ) : (
          <img src={logo} alt="" className={classes['logo']} data-ground={groundOf(scheme, tone)} />
        )}
        <span className={classes['button']} style={{ background: palette.filled }}>
          {t('branding.sampleButton')}
        </span>
        <span className={classes['link']} style={{ color: palette.text }}>
          {t('branding.sampleLink')}
        </span>
        <span className={classes['badge']} style={{ background: palette.soft, color: palette.softText }}>
          {t('branding.sampleBadge')}
        </span>
      </div>
    </div>
  );
};

/** As styles.css has it for the real one. */
const groundOf = (scheme: 'light' | 'dark', tone: Tone | undefined): string | undefined =>
  tone === scheme ? (tone === 'dark' ? 'white' : 'dark') : undefined;
