import type { Message } from '../i18n/messages.js';

/** What is checked. The web UI has a text for each. */
type CheckName =
  | 'disk'
  | 'clock'
  | 'email'
  | 'sms'
  | 'single-sign-on'
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
  readonly message: Message<'finding'>;
  /** Nothing is wrong, but it was not set up yet. */
  readonly isTodo?: true;
  /** What to do about it, one alternative per line. What is ok has it only where more could be set up. */
  readonly remedy?: Message<'findingRemedy'>;
  /** A command that is the remedy. */
  readonly command?: string;
}

/** A duration in seconds, minutes, hours or days. */
export const toDuration = (ms: number): Message<'duration'> => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return { code: 'seconds', values: { count: seconds } };
  if (seconds < 7200) return { code: 'minutes', values: { count: Math.round(seconds / 60) } };
  if (seconds < 172_800) return { code: 'hours', values: { count: Math.round(seconds / 3600) } };
  return { code: 'days', values: { count: Math.round(seconds / 86_400) } };
};
