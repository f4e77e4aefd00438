import { ActionIcon, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { languages, useLanguage } from '../../i18n/language.tsx';
import { readDataUrl } from '../../lib/dataUrl.ts';
import { DemoNote } from '../../shell/DemoNote.tsx';
import { languageNames } from '../../shell/preferences.ts';
import classes from './KioskPage.module.css';

/** The picture of a kiosk, fetched again when it is another one. */
const useBackground = (token: string, version: string | null) =>
  useQuery({
    queryKey: ['get', '/kiosk/background', token, version],
    enabled: version !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { data } = await client.GET('/kiosk/background', {
        params: { header: { 'X-Kiosk-Token': token } },
        parseAs: 'blob',
        signal,
      });
      return data ? readDataUrl(data) : null;
    },
  }).data;

interface KioskFrameProps {
  readonly token: string;
  readonly kiosk: Schemas['KioskView'] | undefined;
  readonly children: ReactNode;
}

/** What is around the words of a kiosk. With a background they stand on a panel, so that they can be read on any. */
export const KioskFrame = ({ token, kiosk, children }: KioskFrameProps) => {
  const picture = useBackground(token, kiosk?.backgroundVersion ?? null);
  const colour = kiosk?.backgroundColour ?? null;
  const isPlain = colour === null && !picture;
  const style: CSSProperties = {
    ...(colour !== null && { backgroundColor: colour }),
    ...(picture && { backgroundImage: `url("${picture}")` }),
  };
  return (
    <main className={classes['kiosk']} style={style} data-plain={isPlain || undefined}>
      <Corner />
      <div className={isPlain ? classes['plain'] : classes['panel']}>
        <DemoNote />
        {children}
      </div>
    </main>
  );
};

/** The choice of language, and the way to a full screen. */
const Corner = () => {
  const t = useTranslations();
  const { language, show } = useLanguage();
  return (
    <Group className={classes['corner'] ?? ''} gap="xs">
      {languages.map((name) => (
        <Button
          key={name}
          lang={name}
          size="md"
          variant={name === language ? 'light' : 'subtle'}
          aria-pressed={name === language}
          onClick={() => show(name)}
        >
          {languageNames[name]}
        </Button>
      ))}
      {document.fullscreenEnabled && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={42}
          aria-label={t('kiosk.fullScreen')}
          onClick={() =>
            void (document.fullscreenElement
              ? document.exitFullscreen()
              : document.documentElement.requestFullscreen())
          }
        >
          <Icon name="expand" />
        </ActionIcon>
      )}
    </Group>
  );
};
