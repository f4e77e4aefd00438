import { Marked } from 'marked';
import { isGood, type RunResult } from '../run/results.js';
import { renderMarkdown } from './markdown.js';

/** An address in an answer is no link. */
const markdown = new Marked({ gfm: true, tokenizer: { url: () => undefined } });

/** The run as one HTML file that needs nothing else: the summary with all failures and all cases. */
export const renderHtml = (result: RunResult): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    // Answers of the service stand in this page: whatever they hold, nothing of it runs or is fetched.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${isGood(result) ? '✓' : '✗'} Contract run</title>`,
    `<style>${style}</style>`,
    '<main>',
    markdown.parse(renderMarkdown(result, { complete: true }), { async: false }),
    '</main>',
    '</html>',
    '',
  ].join('\n');

/** Light and dark by the reader's own setting; fonts of the reader's own machine. */
const style = `
:root { --line: #d9dee5; --panel: #f5f7f9; --quiet: #5b6470; }
@media (prefers-color-scheme: dark) { :root { --line: #323942; --panel: #1d2228; --quiet: #9aa4b0; } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th { white-space: nowrap; }
th, summary { color: var(--quiet); }
summary { cursor: pointer; }
details { margin: .5rem 0; }
pre, code { font: .875rem/1.45 ui-monospace, monospace; background: var(--panel); border-radius: .3rem; }
pre { padding: .5rem .8rem; white-space: pre-wrap; border-left: .3rem solid var(--line); }
`;
