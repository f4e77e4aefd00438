import type { SimulatedNetwork } from '../../../tools/contract/src/target/serviceTypes.js';
import { addWebData } from './webData.js';

/** A console, a router, a target of webhooks, a receipt printer, and a mail server that is never there. */
export const startSimulatedNetwork = async (): Promise<SimulatedNetwork> => {
  // Most runs of single stages need none of them.
  const { startMikrotikRouter } = await import('../../../simulators/mikrotik/router.js');
  const { startReceiptPrinter } = await import('../../../simulators/receiptPrinter.js');
  const { startUnifiConsole } = await import('../../../simulators/unifi/console.js');
  const { startWebhookTarget } = await import('../../../simulators/webhookTarget.js');
  const console = await startUnifiConsole();
  // Somebody else's.
  console.seed(1, { name: 'Familie Berger', limit: 2, minutes: 480 });
  // Its User Manager is installed and not in use, which its test advises to change.
  const router = await startMikrotikRouter({ userManager: 'off' });
  const webhookTarget = await startWebhookTarget();
  const printer = await startReceiptPrinter();
  return {
    settings: {
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
      // Attempts to sign in are limited by address, and the run has only one.
      TRUST_PROXY: '127.0.0.1',
      // E-mails stay in the outbox.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'contract@example.org',
      // SMS, too.
      SMS_PROVIDER: 'http',
      SMS_URL: 'http://127.0.0.1:1/',
      SMS_BODY: '{"to":"{to}","text":"{text}"}',
    },
    substitutions: {
      url: console.url,
      credentials: { apiKey: console.apiKey },
      address: webhookTarget.url,
      pinned: console.fingerprint,
      router: {
        kind: 'mikrotik',
        url: router.url,
        fingerprint: router.fingerprint,
        credentials: { username: router.username, password: router.password },
      },
    },
    addTo: (administration) => addWebData(administration, webhookTarget.url, printer.port),
    close: async () => {
      await console.stop();
      await router.stop();
      await webhookTarget.stop();
      await printer.stop();
    },
  };
};
