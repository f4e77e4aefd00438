import { json, type Reply } from './route.js';

/** The classic API's success. */
export const classicOk = (
  data: readonly unknown[],
  headers: Readonly<Record<string, string | string[]>> = {},
): Reply => json(200, { meta: { rc: 'ok' }, data }, headers);

/** The classic API's failure, which can come with status 200. */
export const classicError = (status: number, msg: string): Reply => ({
  ...json(status, { meta: { rc: 'error', msg }, data: [] }),
  refused: true,
});

/** The classic API's success with any number of items. */
export const classicStream = <T>(items: readonly T[], show: (item: T) => unknown): Reply => ({
  ...classicOk([]),
  body: parts(items, show),
});

const perPart = 500;

/** All of it at once would be some 19 MB for 50,000 vouchers. */
function* parts<T>(items: readonly T[], show: (item: T) => unknown): Generator<string> {
  yield '{"meta":{"rc":"ok"},"data":[';
  for (let at = 0; at < items.length; at += perPart) {
    const part = items.slice(at, at + perPart).map((item) => JSON.stringify(show(item)));
    yield (at === 0 ? '' : ',') + part.join(',');
  }
  yield ']}';
}
