import type { Webhook } from './webhooks.js';

const shown = 4;
/** Of something shorter, the last characters would tell too much. */
const longEnough = 12;
const hidden = '…';

/** An address as it may be shown: `https://hooks.slack.com/…Ab3x`. The rest of it lets anybody post. */
export const maskAddress = (address: string): string => {
  const { protocol, host, pathname, search } = new URL(address);
  const rest = pathname + search;
  return `${protocol}//${host}/${hidden}${rest.length >= longEnough ? rest.slice(-shown) : ''}`;
};

/**
 * What a target said, without this webhook's address and secrets: an error page likes to repeat the path that it was
 * asked for.
 */
export const conceal = (text: string, webhook: Pick<Webhook, 'address' | 'secrets'>): string => {
  const { href, pathname, search, searchParams, hash } = new URL(webhook.address);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= 8);
  const whole = [webhook.address, href, pathname + search + hash, pathname + search];
  const secrets = webhook.secrets.flatMap(({ secret }) => [secret, secret.replace(/^whsec_/, '')]);
  return [...whole, ...secrets, ...parts, ...parts.map(decoded)]
    .filter((secret) => secret.length > 1)
    .reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
