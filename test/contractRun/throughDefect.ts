import type { ContractModel } from '../../tools/contract/src/contract.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { startFaultInjectionProxy, type Defect, type ProxiedAnswer } from '../support/faultInjectionProxy.js';
import { failuresOf, optionsOf, runStageAlone } from './stageRun.js';

/** What a stage finds in a service that is seen through a defect. */
export const findThrough = async (
  service: LocalService,
  stage: Stage,
  defect: Defect,
  contract: ContractModel,
): Promise<Record<string, string>> => {
  const { basePath } = service.served;
  const proxy = await startFaultInjectionProxy(service.url.slice(0, -basePath.length || undefined), defect);
  const target = localTargetOn(contract, service, proxy.url + basePath);
  try {
    const { served } = service;
    const options = optionsOf();
    return failuresOf(
      await runStageAlone(stage, { served, contract, options, target: () => Promise.resolve(target) }),
    );
  } finally {
    await target.close();
    await proxy.stop();
  }
};

/** The answer with another value of one header. */
export const withHeader =
  (header: string, value: string) =>
  (answer: ProxiedAnswer): ProxiedAnswer => ({
    ...answer,
    headers: answer.headers.map(([name, old]) => [name, name.toLowerCase() === header ? value : old]),
  });

export type Json = Record<string, unknown>;

/** The answer with another body. */
export const withBody = (answer: ProxiedAnswer, change: (body: Json) => Json): ProxiedAnswer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(change(JSON.parse(String(answer.body)) as Json))),
});
