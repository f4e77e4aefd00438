import { inspect, types } from 'node:util';
import { publicText } from '../lib/publicText.js';
import { AddressRefused } from '../ssrf/ssrfGuard.js';

/** How long a provider may take to answer. */
export const providerTimeoutSeconds = 5;

/** What an error of any kind has under a name. */
export const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return types.isNativeError(value) ? value.message : inspect(value);
};

/** What a provider said, or why it could not be asked, in one line and without the secret of the client. */
export const describeProviderError = (error: unknown, clientSecret: string): string => {
  const cause = fieldOf(error, 'cause');
  const found = [error, cause];
  if (found.some((one) => fieldOf(one, 'name') === 'TimeoutError'))
    return `no answer within ${String(providerTimeoutSeconds)} s`;
  const refused = found.find((one) => one instanceof AddressRefused);
  if (refused) {
    const host = fieldOf(refused.reason.values, 'host');
    return `${typeof host === 'string' ? `${host}: ` : ''}a server can not have this address`;
  }
  const texts = [
    error,
    fieldOf(error, 'error'),
    fieldOf(error, 'error_description'),
    fieldOf(cause, 'code'),
  ].flatMap((text) =>
    text === undefined || text === null ? [] : [publicText(textOf(text).replaceAll(clientSecret, '…'))],
  );
  return [...new Set(texts)].join(': ');
};
