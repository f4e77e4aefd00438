import { logo } from './logo.js';

/** The page at `/`: what this is, how it is and where to go, without a line of script. */
export const frontPage = (basePath: string, openIntents?: string): string => `<!doctype html>
<html lang="de">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>voucherd</title>
<style>
  :root { color-scheme: light dark; --ink: light-dark(#14213d, #e8ecf4); --soft: light-dark(#5b6780, #9aa6bf);
    --card: light-dark(#fff, #1a2130); --line: light-dark(#dde3ee, #2c3547); --accent: light-dark(#0b6e6e, #4fd1c5); }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; color: var(--ink);
    background: light-dark(#f4f6fa, #10151f); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 34rem; margin: 1rem; padding: 2.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
  h1 { display: flex; align-items: center; gap: .6rem; margin: 0 0 .25rem; font-size: 1.75rem; letter-spacing: -.02em; }
  h1 svg { color: var(--accent); }
  p { margin: 0 0 1.5rem; color: var(--soft); }
  ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
  a { display: flex; justify-content: space-between; align-items: baseline; gap: 0 1rem; flex-wrap: wrap; padding: .75rem 1rem; border: 1px solid var(--line);
    border-radius: 10px; color: inherit; text-decoration: none; }
  a:hover, a:focus-visible { border-color: var(--accent); outline: none; }
  p:last-child { margin: 1.5rem 0 0; font-size: .875rem; }
  code { color: var(--accent); font: .9em ui-monospace, monospace; }
</style>
<main>
  <h1>${logo}voucherd</h1>
  <p>Gäste-WLAN-Voucher für viele Standorte. Der Dienst läuft.</p>
  <ul>
    <li><a href="/docs">Nachschlagen und ausprobieren <code>/docs</code></a></li>
    <li><a href="${basePath}/openapi.php">Beschreibung der API <code>${basePath}/openapi.php</code></a></li>
    <li><a href="${basePath}/openapi.yaml">Der ganze Vertrag <code>${basePath}/openapi.yaml</code></a></li>
    <li><a href="/readyz">Zustand <code>/readyz</code></a></li>
  </ul>
  ${openIntents === undefined ? '' : `<p>Offene Aufträge: ${openIntents}</p>`}
</main>
</html>
`;
