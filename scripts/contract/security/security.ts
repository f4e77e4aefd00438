import { makeAnswerCheck } from '../conformance/answers.js';
import type { Stage } from '../stage.js';
import { isExcuse } from '../target/excuse.js';
import { harmlessSample } from '../target/scenarioContext.js';
import { checkBadKeys, checkGoodKeys, checkLimit, checkScope } from './operation.js';

/** Tries to get in: without a key, with every kind of bad one, with too few rights and too often. */
export const security: Stage = {
  name: 'security',
  title: 'keys, scopes and limits hold for every operation',
  run: async ({ contract, recorder, target: getTarget }) => {
    const target = await getTarget();
    const answers = makeAnswerCheck(contract, target);
    const total = contract.operations.length;
    for (const [index, operation] of contract.operations.entries()) {
      recorder.progress(index, total);
      const context = { contract, operation, target };
      const tried = { name: `${operation.id}: access`, operationId: operation.id };
      const sample = harmlessSample(context);
      const key = target.keys.permitting(operation.scope);
      if (isExcuse(sample)) {
        recorder.skipped(tried, sample.excuse);
        continue;
      }
      if (isExcuse(key)) {
        recorder.skipped(tried, key.excuse);
        continue;
      }
      const check = { context, sample, recorder, answers };
      await checkGoodKeys(check, key);
      await checkBadKeys(check, key);
      await checkScope(check);
      await checkLimit(check, index === 0);
    }
    recorder.progress(total, total);
  },
};
