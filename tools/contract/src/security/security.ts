import { makeAnswerCheck } from '../conformance/answers.js';
import { isSafe } from '../request.js';
import { runSteps, type Stage } from '../stage.js';
import { isExcuse } from '../target/keys.js';
import { harmlessSample, keyFor, requestsEach } from '../target/scenarioContext.js';
import { pairedKeys } from './badKeys.js';
import { checkThirdPartyAccess, checkThirdPartyWindow, limitedOperation } from './thirdPartyAccess.js';
import { checkWindow } from './limitWindow.js';
import { checkRevocation } from './revocation.js';
import {
  badKeysFor,
  carriersFor,
  checkBadKeys,
  checkGoodKeys,
  checkLimit,
  checkOrigin,
  checkScope,
  otherSitesFor,
} from './operation.js';

/** Tries to get in: without a key, with every kind of bad one, with too few rights and too often. */
export const security: Stage = {
  name: 'security',
  title: 'keys, scopes and limits hold for every operation',
  run: async ({ contract, recorder, target: getTarget }) => {
    const target = await getTarget();
    const answers = makeAnswerCheck(contract, target);
    const steps = contract.operations.map((operation, index) => {
      const tried = { name: `${operation.id}: access`, operationId: operation.id };
      const run = async (): Promise<void> => {
        const context = { contract, operation, target };
        const sample = harmlessSample(context);
        const key = keyFor(context);
        if (
          target.thirdParty &&
          operation === limitedOperation(contract) &&
          !isExcuse(sample) &&
          !isExcuse(key)
        )
          await checkThirdPartyWindow({ context, sample, recorder, answers }, key);
        if (isExcuse(sample)) recorder.skipped(tried, sample.excuse);
        else if (target.thirdParty && operation.security.length > 0)
          await checkThirdPartyAccess({ context, sample, recorder, answers }, key);
        else if (isExcuse(key)) recorder.skipped(tried, key.excuse);
        else if (operation.security.length === 0) {
          recorder.skipped(tried, 'everybody may use it');
          await checkOrigin({ context, sample, recorder, answers });
        } else {
          const check = { context, sample, recorder, answers };
          await checkGoodKeys(check, key);
          await checkBadKeys(check, key);
          await checkRevocation(check);
          await checkScope(check);
          await checkOrigin(check);
          await checkLimit(check, index === 0);
          if (index === 0 && !target.thirdParty) await checkWindow(check);
        }
      };
      return { ...tried, run };
    });
    await runSteps(steps, recorder);
  },
  estimate: (contract, target) => {
    let [requests, vouchers] = [0, 0];
    for (const operation of contract.operations) {
      const context = { contract, operation, target };
      const sample = harmlessSample(context);
      const key = keyFor(context);
      requests += otherSitesFor(context).length;
      if (target.thirdParty && operation.security.length > 0 && !isExcuse(sample))
        requests +=
          requestsEach(context) *
          (2 +
            (target.keys.wrong?.(operation).length ?? 0) +
            (target.keys.besideWrong?.(operation).length ?? 0));
      if (target.thirdParty && operation === limitedOperation(contract)) requests += 2;
      if (target.thirdParty) continue;
      if (isExcuse(sample) || isExcuse(key) || operation.security.length === 0) continue;
      const carriers = carriersFor(contract, operation).length;
      const limited = target.keys.limited();
      requests += badKeysFor(context, sample, key).length + 2 * carriers;
      if (!isExcuse(limited)) requests += limited.most + 2;
      const pairs = pairedKeys(contract, operation, key).length;
      requests += pairs;
      if (target.allowWrites && !isSafe(operation.method)) vouchers += carriers + pairs;
    }
    return { requests, vouchers };
  },
};
