import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const accent: MantineColorsTuple = [
  '#e6f7f6',
  '#d0ecea',
  '#a3d8d5',
  '#72c3bf',
  '#4fd1c5',
  '#2fa59e',
  '#16867f',
  '#0b6e6e',
  '#075a5a',
  '#03403f',
];

const dark: MantineColorsTuple = [
  '#e8ecf4',
  '#c3cbdb',
  '#9aa6bf',
  '#6b7890',
  '#3a4559',
  '#2c3547',
  '#1a2130',
  '#141a26',
  '#10151f',
  '#0b0f17',
];

/** One accent colour, calm greys, and the fonts of the system. */
export const theme = createTheme({
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  black: '#14213d',
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontFamily: 'system-ui, sans-serif', fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600 } },
    Paper: { defaultProps: { withBorder: true, radius: 'lg' } },
  },
});

/** Mantine's own dimmed, placeholder and error colours are too pale for WCAG AA. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#55617a',
    '--mantine-color-placeholder': '#66718a',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#0b6e6e',
    '--page-ground': '#f4f6fa',
    '--page-line': '#dde3ee',
  },
  dark: {
    '--mantine-color-body': '#1a2130',
    '--mantine-color-dimmed': '#a3aec5',
    '--mantine-color-placeholder': '#8f9bb3',
    '--mantine-color-error': '#ff9a91',
    '--mantine-color-anchor': '#4fd1c5',
    '--page-ground': '#10151f',
    '--page-line': '#2c3547',
  },
});
