/** Light and dark by the reader's own setting; fonts of the reader's own machine. */
export const style = `
:root {
  --paper: #fff; --ink: #1d2127; --quiet: #5b6470; --line: #d9dee5; --panel: #f5f7f9;
  --good: #13703a; --good-paper: #e3f4e9; --bad: #b3201b; --bad-paper: #fdeaea;
  --odd: #7a5200; --odd-paper: #fdf3d8; --link: #0b57b0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e6e9ed; --quiet: #9aa4b0; --line: #323942; --panel: #1d2228;
    --good: #6fd69a; --good-paper: #14301f; --bad: #ff9a94; --bad-paper: #3a1a1a;
    --odd: #f0c366; --odd-paper: #33290f; --link: #8ab8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; }
h3 code { font-weight: normal; }
h4 { font-size: 1rem; margin: 0 0 .4rem; }
small { color: var(--quiet); font-weight: normal; font-size: .85em; }
a { color: var(--link); }
.about { color: var(--quiet); max-width: 60rem; }
.verdict { font-size: 1.3rem; font-weight: 600; padding: .8rem 1rem; border-radius: .5rem; margin: 0; }
.verdict span { font-size: 1rem; font-weight: normal; margin-left: 1rem; }
.verdict.passed { background: var(--good-paper); color: var(--good); }
.verdict.failed { background: var(--bad-paper); color: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .6rem; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; font-size: .85rem; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.passed { color: var(--good); } td.failed { color: var(--bad); font-weight: 600; }
td.warned { color: var(--odd); } td.skipped { color: var(--quiet); }
td.passed, td.failed, td.warned, td.skipped { white-space: nowrap; }
article { border: 1px solid var(--line); border-left: .3rem solid var(--bad); border-radius: .4rem; padding: .8rem 1rem; margin: .8rem 0; }
article.warned { border-left-color: var(--odd); }
dl { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: .3rem 1rem; margin: 0; }
dt { color: var(--quiet); } dd { margin: 0; }
.what { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre, code { font: .875rem/1.45 ui-monospace, monospace; }
pre { background: var(--panel); padding: .4rem .6rem; border-radius: .3rem; margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.group { margin-bottom: .3rem; }
.cell { display: inline-block; padding: 0 .4rem; margin: .1rem .1rem .1rem 0; border-radius: .3rem; font-size: .85rem; }
.cell.tested { background: var(--good-paper); color: var(--good); }
.cell.excused { background: var(--odd-paper); color: var(--odd); }
.cell.untested { background: var(--bad-paper); color: var(--bad); font-weight: 600; }
p.failed { color: var(--bad); }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; }
summary { cursor: pointer; font-weight: 600; }
.cases { list-style: none; padding: 0 0 0 1rem; margin: .5rem 0; font-size: .9rem; }
.cases li { padding: .1rem 0; overflow-wrap: anywhere; }
.cases li::before { display: inline-block; width: 1.4rem; content: '✓'; color: var(--good); }
.cases li.failed::before { content: '✗'; color: var(--bad); }
.cases li.warned::before { content: '!'; color: var(--odd); }
.cases li.skipped::before { content: '–'; color: var(--quiet); }
@media (max-width: 40rem) { dl { grid-template-columns: minmax(0, 1fr); } }
@media print { details > * { display: block; } }
`;
