/** The logo: a ticket that sends. Its colour is that of the text around it. */
export const logo = `<svg viewBox="0 0 48 48" width="40" height="40" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
  <path d="M7 20a4 4 0 0 0 4-4h26a4 4 0 0 0 4 4v8a4 4 0 0 0 0 8v0a4 4 0 0 0-4 4H11a4 4 0 0 0-4-4v0a4 4 0 0 0 0-8z"/>
  <path d="M17 27a10 10 0 0 1 14 0M20.5 31a5 5 0 0 1 7 0"/><circle cx="24" cy="35" r="1" fill="currentColor"/>
  <path d="M16 9a12 12 0 0 1 16 0" opacity=".55"/>
</svg>`;

/** The logo as a file of its own: there is no text whose colour it could take. */
export const logoFile = logo
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replaceAll('currentColor', '#0b6e6e');

/** The page at `/`: what this is, how it is and where to go, without a line of script. */
export const renderFrontPage = (basePath: string, openIntents?: string): string => `<!doctype html>
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
