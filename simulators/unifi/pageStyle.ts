/** The page's one style sheet; its hash stands in the Content-Security-Policy. */
export const pageStyle = `
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
