import { types } from 'node:util';
import { faultTexts, type ConsoleFault, type FaultInjector, type FaultKind } from './faults.js';
import { contentSecurityPolicy, renderPage, type PageHeading, type PageStore } from './page.js';
import type { RequestCounter } from './requestCounts.js';
import {
  htmlReply,
  jsonReply,
  redirectReply,
  route,
  type ConsoleReply,
  type ConsoleRequest,
  type Route,
} from './router.js';
import type { ConsoleSettings } from './settings.js';

interface ControlDeps {
  readonly settings: Pick<ConsoleSettings, 'clock'>;
  readonly heading: PageHeading;
  readonly store: PageStore;
  readonly counter: RequestCounter;
  readonly faults: FaultInjector;
}

/** The simulator's page and its actions, which are not part of the console's APIs. */
export const controlRoutes = ({ settings, heading, store, counter, faults }: ControlDeps): Route[] => {
  const show = (search: string, problem?: string): ConsoleReply =>
    htmlReply(
      problem === undefined ? 200 : 400,
      renderPage({
        settings,
        heading,
        store,
        counts: counter.counts,
        fault: faults.current,
        search,
        problem,
      }),
      {
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'no-store',
        // With `no-referrer` browsers call the origin of its forms `null`.
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      },
    );

  /** Browsers are redirected to the page; programs, which ask for JSON, get a short reply. */
  const doing =
    (work: (form: URLSearchParams) => void) =>
    (call: ConsoleRequest): ConsoleReply => {
      const wantsJson = call.headers.accept === 'application/json';
      const form = new URLSearchParams(call.body);
      const search = form.get('search') ?? '';
      if (!isSameOrigin(call)) return jsonReply(403, { error: 'another page may not do this' });
      try {
        work(form);
      } catch (error) {
        const problem = types.isNativeError(error) ? error.message : String(error);
        return wantsJson ? jsonReply(400, { error: problem }) : show(search, problem);
      }
      if (wantsJson) return jsonReply(200, { done: true });
      return redirectReply(
        303,
        search === '' ? '/simulator' : `/simulator?${new URLSearchParams({ search }).toString()}`,
      );
    };

  return [
    route('GET', '/simulator', 'page', ({ query }) => show(query.get('search') ?? '')),
    route(
      'POST',
      '/simulator/use',
      'use',
      doing((form) => store.use(form.get('code') ?? '', wholeNumber(form, 'guests') ?? 1)),
    ),
    route(
      'POST',
      '/simulator/delete',
      'delete',
      doing((form) => store.remove(form.get('code') ?? '')),
    ),
    route(
      'POST',
      '/simulator/fault',
      'fault',
      doing((form) => faults.set(readFault(form))),
    ),
  ];
};

/** Browsers send the origin of a form; programs send none. */
const isSameOrigin = ({ headers: { origin, host } }: ConsoleRequest): boolean =>
  origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);

const readFault = (form: URLSearchParams): ConsoleFault | undefined => {
  const kind = form.get('kind') ?? '';
  if (kind === '') return undefined;
  if (!isFaultKind(kind)) throw new Error(`there is no fault ${kind}`);
  const [times, delayMs] = [wholeNumber(form, 'times'), wholeNumber(form, 'delayMs')];
  return {
    kind,
    on: callsOf(form.get('on')),
    ...(times !== undefined && { times }),
    ...(delayMs !== undefined && { delayMs }),
  };
};

const callsOf = (text: string | null): 'create' | 'delete' | 'all' =>
  text === 'all' || text === 'delete' ? text : 'create';

const isFaultKind = (kind: string): kind is FaultKind => Object.hasOwn(faultTexts, kind);

const wholeNumber = (form: URLSearchParams, name: string): number | undefined => {
  const text = form.get(name)?.trim() ?? '';
  if (text === '') return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} is a whole number from 1 on`);
  return Number(text);
};
