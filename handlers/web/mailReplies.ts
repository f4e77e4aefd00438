import type { MailServerView } from '../../src/email/mailServer.js';
import type { WebSchema } from './handler.js';

export const toMailServerReply = ({ fixed, ...view }: MailServerView): WebSchema<'MailServer'> => ({
  ...view,
  fixedServer: fixed.server ?? null,
  fixedFrom: fixed.from ?? null,
});
