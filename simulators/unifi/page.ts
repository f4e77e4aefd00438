import { createHash } from 'node:crypto';
import type { Counts } from './counts.js';
import { faultTexts, type Fault } from './faults.js';
import { pageStyle } from './pageStyle.js';
import type { Settings } from './settings.js';
import { voucherState } from './voucherState.js';
import type { SimulatedVoucher, VoucherStore } from './vouchers.js';

export interface PageContent {
  readonly settings: Settings;
  readonly store: VoucherStore;
  readonly counts: Counts;
  readonly fault: Fault | undefined;
  /** A part of a code or a name. */
  readonly search: string;
  readonly problem: string | undefined;
}

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** No script at all, nothing from other hosts, forms only to the console itself. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mostRows = 100;

/** The page at `/simulator`. */
export const renderPage = (content: PageContent): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated UniFi console</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
<main>
  <header>
    <div>
      <h1>Simulated UniFi console</h1>
      <p>${content.settings.variant === 'unifi-os' ? 'UniFi OS' : 'Self-hosted'}, Network ${escape(content.settings.version)}</p>
    </div>
    ${numbers(content.counts)}
  </header>
  ${content.problem === undefined ? '' : `<section class="problem" role="alert">${escape(content.problem)}</section>`}
  ${faultForm(content.fault)}
  ${voucherTable(content)}
</main>
</html>
`;

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

const count = (number: number): string => number.toLocaleString('en-US');

const numbers = ({ logins, refusedLogins, calls, mostOpen }: Counts): string => {
  const shown = {
    logins,
    'refused logins': refusedLogins,
    calls,
    'most at once': mostOpen,
  };
  return `<dl>${Object.entries(shown)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${count(value)}</dd></div>`)
    .join('')}</dl>`;
};

const option = (value: string, text: string, selected: boolean): string =>
  `<option value="${value}"${selected ? ' selected' : ''}>${escape(text)}</option>`;

const faultForm = (fault: Fault | undefined): string => {
  const kinds = Object.entries(faultTexts).map(([kind, text]) =>
    option(kind, `${kind}: ${text}`, kind === fault?.kind),
  );
  const on = fault?.on ?? 'create';
  return `<section${fault ? ' class="active"' : ''}>
    <div class="bar"><h2>${fault ? 'Out of order' : 'In order'}</h2></div>
    <form method="post" action="/simulator/fault">
      <label>Fault<select name="kind">${option('', 'none', !fault)}${kinds.join('')}</select></label>
      <label>On<select name="on">${option('create', 'creating vouchers', on === 'create')}${option('delete', 'deleting vouchers', on === 'delete')}${option('all', 'all calls but logins', on === 'all')}</select></label>
      <label>How often<input type="number" name="times" min="1" placeholder="always" value="${String(fault?.times ?? '')}"></label>
      <label>Late by, in ms<input type="number" name="delayMs" min="1" placeholder="3000" value="${String(fault?.delayMs ?? '')}"></label>
      <button class="first">Set</button>
    </form>
  </section>`;
};

const voucherTable = ({ store, settings, search }: PageContent): string => {
  const all = store.sites.flatMap(({ reference }) => store.list(reference));
  const wanted = search.trim().toLowerCase();
  const code = wanted.replaceAll('-', '');
  const found =
    wanted === ''
      ? all
      : all.filter((voucher) => voucher.code.includes(code) || voucher.name.toLowerCase().includes(wanted));
  const newest = newestOf(found);
  const now = settings.clock();
  return `<section>
    <div class="bar">
      <h2>Vouchers <span class="pill">${found.length > newest.length ? `newest ${count(newest.length)} of ` : ''}${count(found.length)}</span></h2>
      <form action="/simulator">
        <input type="search" name="search" placeholder="Code or name" aria-label="Code or name" value="${escape(search)}">
        <button>Search</button>
      </form>
    </div>
    ${
      newest.length === 0
        ? '<p>None.</p>'
        : `<div class="scroll"><table>
    <tr><th>Code, created (UTC)<th>Name, site<th>State<th>Guests<th>Valid (UTC), limits<th></tr>
    ${newest.map((voucher) => row(voucher, now, search)).join('\n    ')}
    </table></div>`
    }
  </section>`;
};

/** The store is in the order of creation, except that several sites follow one another. */
const newestOf = (vouchers: readonly SimulatedVoucher[]): SimulatedVoucher[] =>
  vouchers
    .toReversed()
    .sort((left, right) => right.createdAt - left.createdAt)
    .slice(0, mostRows);

const row = (voucher: SimulatedVoucher, now: number, search: string): string => {
  const state = voucherState(voucher, now);
  const over = state === 'expired' || state === 'used up';
  const name = escape(voucher.name);
  return `<tr>
      <td><span class="code">${voucher.code.slice(0, 5)}-${voucher.code.slice(5)}</span><small>${time(voucher.createdAt)}</small></td>
      <td class="name"><div title="${name}">${name}</div><small>${escape(voucher.site)}</small></td>
      <td><span class="pill ${state.replace(' ', '-')}">${state}</span></td>
      <td>${count(voucher.used)} of ${voucher.limit === 0 ? '∞' : count(voucher.limit)}</td>
      <td>${validity(voucher)}<small>${limits(voucher)}</small></td>
      <td><div class="buttons">${button('use', voucher, search, over)}${button('delete', voucher, search, false)}</div></td>
    </tr>`;
};

const button = (
  action: 'use' | 'delete',
  { code }: SimulatedVoucher,
  search: string,
  disabled: boolean,
): string =>
  `<form method="post" action="/simulator/${action}"><input type="hidden" name="code" value="${escape(code)}"><input type="hidden" name="search" value="${escape(search)}"><button${action === 'delete' ? ' class="danger"' : ''}${disabled ? ' disabled' : ''}>${action}</button></form>`;

const time = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

const validity = ({ minutes, expiresAt }: SimulatedVoucher): string =>
  expiresAt === undefined ? `${count(minutes)} min from first use` : `until ${time(expiresAt)}`;

const rate = (kbits: number): string =>
  kbits % 1000 === 0 ? `${count(kbits / 1000)} Mbit/s` : `${count(kbits)} kbit/s`;

const limits = ({ down, up, quotaMb }: SimulatedVoucher): string =>
  [
    down > 0 ? `${rate(down)} down` : '',
    up > 0 ? `${rate(up)} up` : '',
    quotaMb > 0 ? `${count(quotaMb)} MB` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
