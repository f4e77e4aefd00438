import type { Message } from '../../src/i18n/messages.js';

/** Why a delivery attempt failed: the target answered with this status. */
export const answered = (status: number): Message<'attempt', 'answered'> => ({
  code: 'answered',
  values: { status },
});
