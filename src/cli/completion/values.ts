import { controllerKinds } from '../../controllers/kinds.js';
import { simulatedFaults } from '../../controllers/simulated/settings.js';
import { pageLanguages } from '../../i18n/language.js';
import { roles } from '../../users/roles.js';
import { formatNames } from '../../webhooks/formats/format.js';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** What the value of an option or an argument can be completed to. */
export type Completion =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' };

const words = (...given: readonly string[]): Completion => ({ kind: 'words', words: given });

/** By the name that `--help` shows for the value: `--scope <scope>`. */
const completions: Readonly<Record<string, Completion>> = {
  file: { kind: 'files' },
  folder: { kind: 'folders' },
  // A SQLite file, the folder of one, or an address.
  place: { kind: 'files' },
  fault: words(...simulatedFaults),
  format: words(...formatNames),
  kind: words(...controllerKinds),
  language: words(...pageLanguages),
  role: words(...roles),
  scope: words('read', 'write'),
  shell: words(...shells),
  state: words('waiting', 'delivered', 'failed'),
  status: words('valid', 'used', 'expired'),
};

/** How a value is completed; undefined when it can be anything. */
export const findCompletion = (valueName: string): Completion | undefined => completions[valueName];
