// [WORD…]: plants defects in the service, and shows which stage of the contract run finds each.
import { formatTable } from '../../scripts/lib/textTable.js';
import { makeDefectiveCopy, type DefectOutcome } from './defects/defectiveCopy.js';
import { serviceDefects } from './defects/serviceDefects.js';

// Plants one defect after the other in a copy of the service, and shows which stage of the contract run finds it. Takes
// about half a minute for each; words on the command line choose those whose names hold one of them.

const longest = 110;

const rowOf = ({ defect, stage, says }: DefectOutcome): string[] => {
  const line = says.replaceAll(/\s+/g, ' ');
  return [
    defect.name,
    defect.file,
    stage ?? 'NOT FOUND',
    line.length > longest ? `${line.slice(0, longest)}…` : line,
  ];
};

const words = process.argv.slice(2);
const chosen = serviceDefects.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const copy = await makeDefectiveCopy();
try {
  const outcomes: DefectOutcome[] = [];
  for (const [index, defect] of chosen.entries()) {
    const outcome = await copy.run(defect);
    outcomes.push(outcome);
    console.error(`${String(index + 1)}/${String(chosen.length)} ${rowOf(outcome).join(' | ')}`);
  }
  const found = outcomes.filter(({ stage }) => stage !== undefined).length;
  console.log(formatTable([['defect', 'file', 'found by', 'first problem'], ...outcomes.map(rowOf)]));
  console.log(`\n${String(found)} of ${String(outcomes.length)} found`);
  process.exitCode = found === outcomes.length && found > 0 ? 0 : 1;
} finally {
  await copy.remove();
}
