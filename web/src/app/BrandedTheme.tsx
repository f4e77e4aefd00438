import { MantineProvider } from '@mantine/core';
import { useEffect, useMemo, type ReactNode } from 'react';
import { brandPictureUrl, useBrand } from '../api/brand.ts';
import { basePath, styleNonce } from '../api/serviceMeta.ts';
import { makeTheme } from './theme.ts';

const iconLink = document.querySelector<HTMLLinkElement>('link[rel=icon]');
const ownIcon = `${basePath}/docs/logo.svg`;

/** The colours of the pages, and their icon, as administrators have chosen them. */
export const BrandedTheme = ({ children }: { readonly children: ReactNode }) => {
  const { palette, icon } = useBrand();
  const { theme, resolveVariables } = useMemo(() => makeTheme(palette), [palette]);
  useEffect(() => {
    const shown = icon === null ? ownIcon : brandPictureUrl(icon);
    // What the document already has is not loaded again.
    if (iconLink && iconLink.getAttribute('href') !== shown) iconLink.href = shown;
  }, [icon]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      {children}
    </MantineProvider>
  );
};
