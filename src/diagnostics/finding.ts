import type { Texts } from '../i18n/language.js';

/** What is checked. The web UI has a text for each. */
type CheckName =
  | 'disk'
  | 'clock'
  | 'email'
  | 'keys'
  | 'sites'
  | 'demo'
  | 'intents'
  | 'secrets'
  | 'controller'
  | 'webhooks'
  | 'permissions';

/** What a check found out. */
export interface Finding {
  readonly check: CheckName;
  /** The name of what was checked, where there are several. */
  readonly subject?: string;
  readonly ok: boolean;
  readonly message: Texts;
  /** What to do about it, one alternative per line. What is ok has it only where more could be set up. */
  readonly remedy?: Texts;
}

export const texts = (de: string, en: string): Texts => ({ de, en });

/** The same in both languages, such as a command or a number. */
export const sameText = (text: string): Texts => ({ de: text, en: text });

/** A time as people read it in a line. */
export const formatMoment = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** A duration in seconds, minutes, hours or days. */
export const describeDuration = (ms: number): Texts => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return sameText(`${String(seconds)} s`);
  if (seconds < 7200) return sameText(`${String(Math.round(seconds / 60))} min`);
  if (seconds < 172_800) return sameText(`${String(Math.round(seconds / 3600))} h`);
  const days = String(Math.round(seconds / 86_400));
  return texts(`${days} Tage`, `${days} days`);
};
