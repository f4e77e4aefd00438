import { createHash } from 'node:crypto';
import { faultTexts, type ConsoleFault } from './faults.js';
import type { RequestCounts } from './requestCounts.js';
import type { ConsoleSettings } from './settings.js';
import type { SimulatedSite, SimulatedVoucher, VoucherStore } from './voucherStore.js';

/** The page's one style sheet; its hash is in the Content-Security-Policy. */
const pageStyle = `
  :root { color-scheme: light dark; --ink: light-dark(#14213d, #e8ecf4); --soft: light-dark(#5b6780, #9aa6bf);
    --ground: light-dark(#f4f6fa, #10151f); --card: light-dark(#fff, #1a2130); --line: light-dark(#dde3ee, #2c3547);
    --accent: light-dark(#0b6e6e, #4fd1c5); --bad: light-dark(#b3261e, #ff8a80); --warn: light-dark(#8a5a00, #ffc56b);
    --good: light-dark(#1a6e35, #7bd88f); }
  * { box-sizing: border-box; }
  body { margin: 0; color: var(--ink); background: var(--ground); font: 15px/1.5 system-ui, sans-serif; }
  main { max-width: 70rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; display: grid; gap: 1.25rem;
    grid-template-columns: minmax(0, 1fr); }
  h1 { margin: 0; font-size: 1.6rem; letter-spacing: -.02em; }
  h2 { margin: 0; font-size: 1.05rem; }
  p { margin: 0; color: var(--soft); }
  code, .code { font: .95em ui-monospace, SFMono-Regular, Menlo, monospace; }
  section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.25rem; }
  header, .bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: .75rem 1.5rem; }
  .bar { align-items: center; margin-bottom: .9rem; }
  dl { display: flex; flex-wrap: wrap; gap: .6rem 1.75rem; margin: 0; }
  dl div { display: grid; }
  dt { color: var(--soft); font-size: .82rem; }
  dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
  form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: 0; }
  label { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 100%; gap: .2rem; font-size: .82rem; color: var(--soft); }
  input, select, button { font: inherit; max-width: 100%; color: var(--ink); background: var(--ground); border: 1px solid var(--line);
    border-radius: 8px; padding: .4rem .65rem; min-height: 2.3rem; }
  input[type=number] { width: 7.5rem; }
  button { cursor: pointer; }
  button:hover:not(:disabled) { border-color: var(--accent); color: var(--accent); }
  button:disabled { opacity: .4; cursor: default; }
  button.first { background: var(--accent); border-color: var(--accent); color: var(--card); font-weight: 600; }
  button.first:hover { color: var(--card); filter: brightness(1.1); }
  button.danger:hover { border-color: var(--bad); color: var(--bad); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .scroll { overflow-x: auto; }
  table { width: 100%; border-collapse: collapse; }
  th { text-align: left; font-size: .82rem; font-weight: 500; color: var(--soft); padding: 0 .75rem .5rem 0; white-space: nowrap; }
  td { border-top: 1px solid var(--line); padding: .5rem .75rem .5rem 0; vertical-align: middle; }
  th:last-child, td:last-child { padding-right: 0; }
  td, td small { white-space: nowrap; font-variant-numeric: tabular-nums; }
  td.name { max-width: 18rem; }
  td.name div { overflow: hidden; text-overflow: ellipsis; }
  td small { display: block; color: var(--soft); }
  td .buttons { display: flex; gap: .4rem; justify-content: end; }
  td button { min-height: 0; padding: .15rem .6rem; font-size: .9rem; }
  .pill { display: inline-block; padding: .1rem .6rem; border-radius: 99px; font-size: .82rem; white-space: nowrap;
    color: var(--soft); background: color-mix(in srgb, currentColor 12%, transparent); }
  .pill.in-use { color: var(--good); } .pill.used-up { color: var(--warn); } .pill.expired { color: var(--bad); }
  .active { border-color: var(--warn); } .active h2 { color: var(--warn); }
  .problem { border-color: var(--bad); color: var(--bad); }
  @media (max-width: 52rem) {
    table, tbody { display: block; } th { display: none; }
    tr { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; align-items: center; padding: .75rem 0; border-top: 1px solid var(--line); }
    tr:first-child { display: none; }
    td { display: block; border: 0; padding: 0; } td.name { max-width: 100%; flex-basis: 55%; }
  }
`;

/** The state of a voucher, in words. */
type VoucherState = 'unused' | 'in use' | 'used up' | 'expired';

const voucherState = ({ limit, used, expiresAt }: SimulatedVoucher, now: number): VoucherState => {
  if (expiresAt !== undefined && expiresAt <= now) return 'expired';
  if (used === 0) return 'unused';
  return limit > 0 && used >= limit ? 'used up' : 'in use';
};

/** What the page is about. */
export interface PageHeading {
  readonly title: string;
  readonly subtitle: string;
}

/** What the page shows, and what its buttons do. */
export type PageStore = Pick<VoucherStore, 'list' | 'use' | 'remove'> & {
  readonly sites: readonly Pick<SimulatedSite, 'reference'>[];
};

interface PageContent {
  readonly settings: Pick<ConsoleSettings, 'clock'>;
  readonly heading: PageHeading;
  readonly store: PageStore;
  readonly counts: RequestCounts;
  readonly fault: ConsoleFault | undefined;
  /** A part of a code or a name. */
  readonly search: string;
  readonly problem: string | undefined;
}

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** No scripts, nothing from other hosts, forms only to the console itself. */
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
<title>${escape(content.heading.title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
<main>
  <header>
    <div>
      <h1>${escape(content.heading.title)}</h1>
      <p>${escape(content.heading.subtitle)}</p>
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

const numbers = ({ logins, refusedLogins, calls, mostOpen }: RequestCounts): string => {
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

const faultForm = (fault: ConsoleFault | undefined): string => {
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

/** The store is in order of creation, but only within each site. */
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
