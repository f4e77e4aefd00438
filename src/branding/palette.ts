/** The colours that the web UI makes of one: each can be read on what it is used on, by WCAG 2.1 AA. */
export interface Palette {
  readonly light: SchemePalette;
  readonly dark: SchemePalette;
}

export interface SchemePalette {
  /** Buttons, with white text on it. */
  readonly filled: string;
  readonly filledHover: string;
  /** Links, icons and outlines on the ground of pages and cards. */
  readonly text: string;
  /** A soft ground. */
  readonly soft: string;
  readonly softHover: string;
  /** Text on a soft ground, and on that of pages and cards. */
  readonly softText: string;
}

/** Of text. */
const minContrast = 4.5;
/** Of links in the dark: with less they look like something that is disabled. */
const minDarkTextContrast = 6;
/** Of a button with its ground. */
const minFillContrast = 3;

type Rgb = readonly [red: number, green: number, blue: number];

const parse = (colour: string): Rgb => {
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
};

const format = (parts: Rgb): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** The relative luminance of WCAG 2.1. */
const luminanceOf = (colour: string): number => {
  const [red, green, blue] = parse(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

/** The contrast of two colours by WCAG 2.1, 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};

/** Between two colours: 0 is the first, 1 the second. */
const mix = (one: string, other: string, share: number): string => {
  const [[red, green, blue], [toRed, toGreen, toBlue]] = [parse(one), parse(other)];
  const between = (from: number, to: number): number => from + (to - from) * share;
  return format([between(red, toRed), between(green, toGreen), between(blue, toBlue)]);
};

const steps = 200;

/** The colour, or the first one on the way to another that has this contrast with all of these. */
const adjust = (
  colour: string,
  towards: string,
  grounds: readonly string[],
  contrast = minContrast,
): string => {
  for (let step = 0; step < steps; step += 1) {
    const candidate = mix(colour, towards, step / steps);
    if (grounds.every((ground) => contrastOf(candidate, ground) >= contrast)) return candidate;
  }
  return towards;
};

const [white, black] = ['#ffffff', '#000000'];
/** What the web UI draws text on: cards, and the ground around them. */
export const grounds = {
  light: { card: white, page: '#f4f6fa' },
  dark: { card: '#1a2130', page: '#10151f' },
} as const;

/** Derives the colours from one such as #7a1f3d. Where it can not be read, it is made darker or lighter. */
export const toPalette = (colour: string): Palette => ({
  light: lightPalette(colour),
  dark: darkPalette(colour),
});

const lightPalette = (colour: string): SchemePalette => {
  const around = Object.values(grounds.light);
  const filled = adjust(colour, black, around);
  const [soft, softHover] = [mix(filled, white, 0.87), mix(filled, white, 0.82)];
  return {
    filled,
    filledHover: mix(filled, black, 0.15),
    text: filled,
    soft,
    softHover,
    softText: adjust(filled, black, [...around, soft, softHover]),
  };
};

const darkPalette = (colour: string): SchemePalette => {
  const around = Object.values(grounds.dark);
  const readable = adjust(colour, black, [white]);
  // Dark enough for white text, and yet no hole in the page.
  const filled = adjust(readable, white, [grounds.dark.card], minFillContrast);
  const text = adjust(colour, white, around, minDarkTextContrast);
  const [soft, softHover] = [mix(grounds.dark.card, text, 0.14), mix(grounds.dark.card, text, 0.2)];
  return {
    filled,
    filledHover: mix(filled, black, 0.12),
    text,
    soft,
    softHover,
    softText: adjust(text, white, [...around, soft, softHover]),
  };
};
