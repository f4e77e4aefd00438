// What `tsc --watch` does, with findings as data.
import { relative } from 'node:path';
import { parentPort } from 'node:worker_threads';
import ts from 'typescript';
import { root } from '../tasks/run.mjs';

let findings = [];

/** Types that are spelled out take lines and say little. */
const shortened = (text) => text.replace(/'\{[^']*\}'/g, "'{…}'");

const note = ({ file, start = 0, messageText }) => {
  const what = shortened(ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0]);
  if (!file) {
    findings.push({ file: 'tsconfig.build.json', line: 1, column: 1, what });
    return;
  }
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  findings.push({ file: relative(root, file.fileName), line: line + 1, column: character + 1, what });
};

/** Only the end of a round has a number of errors. */
const report = (_diagnostic, _newLine, _options, errorCount) => {
  if (errorCount === undefined) return;
  parentPort.postMessage(findings);
  findings = [];
};

ts.createWatchProgram(
  ts.createWatchCompilerHost(
    `${root}tsconfig.build.json`,
    {},
    ts.sys,
    ts.createEmitAndSemanticDiagnosticsBuilderProgram,
    note,
    report,
  ),
);
