import { ActionIcon, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { guestLanguages, isGuestLanguage } from '../../../../src/i18n/guestLanguages.ts';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { useLanguage } from '../../i18n/language.tsx';
import { languageNames } from '../../i18n/pageLanguages.ts';
import { readDataUrl } from '../../lib/dataUrl.ts';
import { DemoNote } from '../../shell/DemoNote.tsx';
import classes from './KioskPage.module.css';

/** A kiosk by the token of its link, or a guest page by its address. */
type KioskSource = { readonly token: string } | { readonly slug: string };

/** The picture of a kiosk, fetched again when it is another one. */
const useBackground = (source: KioskSource, version: string | null) =>
  useQuery({
    queryKey: ['get', '/kiosk/background', source, version],
    enabled: version !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const blob = { parseAs: 'blob', signal } as const;
      const { data } =
        'slug' in source
          ? await client.GET('/guest/{slug}/background', { params: { path: source }, ...blob })
          : await client.GET('/kiosk/background', {
              params: { header: { 'X-Kiosk-Token': source.token } },
              ...blob,
            });
      return data ? readDataUrl(data) : null;
    },
  }).data;

interface KioskFrameProps {
  readonly source: KioskSource;
  readonly kiosk: Schemas['KioskView'] | undefined;
  /** For tablets. */
  readonly hasFullScreen: boolean;
  readonly children: ReactNode;
}

/** What is around the words of a kiosk. With a background they stand on a panel, so that they can be read on any. */
export const KioskFrame = ({ source, kiosk, hasFullScreen, children }: KioskFrameProps) => {
  const picture = useBackground(source, kiosk?.backgroundVersion ?? null);
  const colour = kiosk?.backgroundColour ?? null;
  const isPlain = colour === null && !picture;
  const style: CSSProperties = {
    ...(colour !== null && { backgroundColor: colour }),
    ...(picture && { backgroundImage: `url("${picture}")` }),
  };
  return (
    <main className={classes['kiosk']} style={style} data-plain={isPlain || undefined}>
      <Corner hasFullScreen={hasFullScreen} />
      <div className={isPlain ? classes['plain'] : classes['panel']}>
        <DemoNote />
        {children}
      </div>
    </main>
  );
};

/** The choice of language, and the way to a full screen. */
const Corner = ({ hasFullScreen }: Pick<KioskFrameProps, 'hasFullScreen'>) => {
  const t = useTranslations();
  const { language, show } = useLanguage();
  return (
    <Group className={classes['corner'] ?? ''} gap="xs">
      <NativeSelect
        aria-label={t('kiosk.language')}
        size="md"
        leftSection={<Icon name="language" size={18} />}
        data={guestLanguages.map((value) => ({ value, label: languageNames[value] }))}
        value={language}
        onChange={({ currentTarget: { value } }) => {
          if (isGuestLanguage(value)) show(value);
        }}
      />
      {hasFullScreen && document.fullscreenEnabled && (
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
