import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import type { Schemas } from '../api/schemas.ts';
import { ButtonRoot } from './ButtonRoot.tsx';

type Palette = NonNullable<Schemas['Palette']>;

const ownAccent: MantineColorsTuple = [
  '#e6f7f6',
  '#d0ecea',
  '#a3d8d5',
  '#72c3bf',
  '#4fd1c5',
  '#2fa59e',
  '#127a73',
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

/** The list itself scrolls, and not a part of it that the keyboard could not reach. */
const ownScroll = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const;

/** One accent colour, calm greys, and the fonts of the system. */
const theme = createTheme({
  colors: { accent: ownAccent, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  black: '#14213d',
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontFamily: 'system-ui, sans-serif', fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } },
      styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650 } },
    },
    // A long text takes several lines; it is never cut.
    Button: {
      defaultProps: { component: ButtonRoot },
      styles: {
        root: { height: 'auto', minHeight: 'var(--button-height)' },
        // A link has no middle of its own, as a button has.
        inner: { height: 'auto', minHeight: 'calc(var(--button-height) - 2px)' },
        // Letters reach below a line as high as they are, above all Persian ones.
        label: {
          height: 'auto',
          whiteSpace: 'normal',
          overflowWrap: 'anywhere',
          lineHeight: 1.25,
          overflow: 'visible',
        },
      },
    },
    // Large enough for a finger: WCAG asks for 24 pixels.
    Checkbox: {
      defaultProps: { size: 'md' },
      styles: { label: { fontSize: 'var(--mantine-font-size-sm)' } },
    },
    Radio: { defaultProps: { size: 'md' }, styles: { label: { fontSize: 'var(--mantine-font-size-sm)' } } },
    // Choices that do not fit beside each other stand below each other.
    SegmentedControl: { styles: { root: { flexWrap: 'wrap' } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Badge: {
      // Round corners that keep clear of the text where it takes several lines.
      defaultProps: { variant: 'light', tt: 'none', fw: 600, miw: 'fit-content', maw: '100%', radius: 'lg' },
      styles: {
        root: { height: 'auto', minHeight: 'var(--badge-height)' },
        label: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
      },
    },
    // What takes the focus first is an item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Select: ownScroll,
    MultiSelect: ownScroll,
    Switch: { defaultProps: { withThumbIndicator: false } },
    Paper: { defaultProps: { withBorder: true, radius: 'lg' } },
  },
});

/** A soft ground with a text that can be read on it, in Mantine's words: the variant `light` of a colour. */
const soft = (color: string, ground: string, text: string): Record<string, string> => ({
  [`--mantine-color-${color}-light`]: ground,
  [`--mantine-color-${color}-light-color`]: text,
});

/** The colours that administrators have chosen, in Mantine's words. The service has made them readable. */
const brandVariables = (palette: Schemas['SchemePalette']): Record<string, string> => ({
  '--mantine-color-anchor': palette.text,
  '--page-accent': palette.text,
  ...soft('accent', palette.soft, palette.softText),
  '--mantine-color-accent-light-hover': palette.softHover,
  '--mantine-color-accent-filled': palette.filled,
  '--mantine-color-accent-filled-hover': palette.filledHover,
  '--mantine-color-accent-text': palette.text,
  '--mantine-color-accent-outline': palette.text,
  '--mantine-color-accent-outline-hover': palette.soft,
});

/** From the lightest to the darkest, for what asks for a shade. */
const toAccent = ({ light, dark: inDark }: Palette): MantineColorsTuple => [
  ...([light.soft, light.softHover, inDark.softText, inDark.softText, inDark.text, inDark.text] as const),
  ...([inDark.filled, light.filled, light.filledHover, light.filledHover] as const),
];

interface BrandedThemeValues {
  readonly theme: MantineThemeOverride;
  readonly resolveVariables: CSSVariablesResolver;
}

/** The theme with the colours that administrators have chosen, or its own. */
export const makeTheme = (palette: Palette | null): BrandedThemeValues => {
  if (!palette) return { theme, resolveVariables };
  return {
    theme: { ...theme, colors: { accent: toAccent(palette), dark } },
    resolveVariables: (given) => {
      const { variables, light, dark: inDark } = resolveVariables(given);
      return {
        variables,
        light: { ...light, ...brandVariables(palette.light) },
        dark: { ...inDark, ...brandVariables(palette.dark) },
      };
    },
  };
};

/** Mantine's own dimmed, placeholder, error and light colours are too pale for WCAG AA, or too loud in the dark. */
const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#55617a',
    '--mantine-color-placeholder': '#66718a',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#0b6e6e',
    '--page-ground': '#f4f6fa',
    '--page-line': '#dde3ee',
    '--page-accent': '#0b6e6e',
    ...soft('accent', '#ddf0ef', '#075a5a'),
    ...soft('teal', '#dcf5ec', '#05593f'),
    ...soft('yellow', '#fff4d6', '#6f4500'),
    ...soft('red', '#fdeaea', '#9b1c1c'),
    ...soft('gray', '#e9edf4', '#3d4860'),
  },
  dark: {
    '--mantine-color-body': '#1a2130',
    '--mantine-color-dimmed': '#a3aec5',
    '--mantine-color-placeholder': '#8f9bb3',
    '--mantine-color-error': '#ff9a91',
    '--mantine-color-anchor': '#4fd1c5',
    '--page-ground': '#10151f',
    '--page-line': '#2c3547',
    '--page-accent': '#4fd1c5',
    ...soft('accent', '#1b3a40', '#7fe0d6'),
    ...soft('teal', '#16382f', '#6fe3bd'),
    ...soft('yellow', '#3a3117', '#ffd873'),
    ...soft('red', '#43232a', '#ffb3ab'),
    ...soft('gray', '#2c3547', '#c3cbdb'),
  },
});
