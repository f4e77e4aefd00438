import { isDeepStrictEqual } from 'node:util';
import { runConnectionTest, type ConnectionTestStep } from './connectionTest.js';
import type { ControllerCredentials, ControllerDeps, ControllerSpec } from './controller.js';
import { SettingsError } from './errors.js';
import { Refusal } from '../errors/problem.js';
import { credentialsBinding } from '../secrets/encryption.js';
import type { ControllerTable, StoredController } from './controllerTable.js';
import type { SiteTable } from '../sites/siteTable.js';
import { unknownController } from './controllerRefusals.js';
import { applyAddress, type AddressInput } from './controllerSettings.js';
import { isSameReceiver } from './credentialSealing.js';
import type { PassedTests } from './passedTests.js';

/** What is to be tested: a stored controller, a new one, or a stored one with changes. */
export interface ControllerTestInput extends AddressInput {
  readonly controllerId?: number | undefined;
  readonly kind?: string | undefined;
  readonly credentials?: ControllerCredentials | undefined;
}

/** A step of a test; each site says which of ours uses it already. */
export type ControllerTestStep = Omit<ConnectionTestStep, 'sites'> & {
  readonly sites?: readonly { readonly id: string; readonly name: string; readonly siteId: number | null }[];
};

export interface ControllerTests {
  /**
   * Begins a test, which goes on until it is done or the signal aborts.
   * Throws `Refusal` when there is no such controller, or when too many tests are running.
   */
  begin(
    input: ControllerTestInput,
    signal: AbortSignal,
    report: (step: ControllerTestStep, error?: unknown) => void,
  ): Promise<{ readonly done: Promise<void> }>;
}

interface ControllerTestsDeps {
  readonly controllers: ControllerTable;
  readonly sites: SiteTable;
  readonly deps: ControllerDeps;
  /** Told of each test that passed. */
  readonly passedTests?: Pick<PassedTests, 'notePassed'>;
}

/** Each keeps connections open, and asks hosts that somebody has just typed in. */
const maxTests = 4;

/** Tests controllers for people who set them up. */
export const makeControllerTests = ({
  controllers,
  sites,
  deps,
  passedTests,
}: ControllerTestsDeps): ControllerTests => {
  let running = 0;

  const findStored = async (id: number | undefined): Promise<StoredController | undefined> => {
    if (id === undefined) return undefined;
    const stored = (await controllers.all()).find((known) => known.id === id);
    if (!stored) throw unknownController();
    return stored;
  };

  const openCredentials = (stored: StoredController | undefined): ControllerCredentials => {
    if (!stored || stored.sealedCredentials === null) return {};
    const text = deps.secrets().open(stored.sealedCredentials, credentialsBinding(stored));
    return JSON.parse(text) as ControllerCredentials;
  };

  /** Stored credentials are sent to where they belong, and to no other host. */
  const openSpec = (stored: StoredController | undefined, input: ControllerTestInput): ControllerSpec => {
    const kind = stored?.kind ?? input.kind;
    if (kind === undefined) throw new SettingsError('kind', 'is missing');
    const settings = applyAddress(kind, input, stored?.settings);
    const { credentials } = input;
    if (!credentials && stored && !isSameReceiver(stored.settings, settings))
      throw new SettingsError('password', 'has to be given again for another address');
    return {
      id: stored?.id ?? 0,
      name: stored?.name ?? '',
      kind,
      settings,
      credentials: credentials ?? openCredentials(stored),
    };
  };

  return {
    begin: async (input, signal, report) => {
      if (running >= maxTests) throw new Refusal('busy', 'too many tests are running', 'busy');
      running += 1;
      const end = (): void => {
        running -= 1;
      };
      try {
        const stored = await findStored(input.controllerId);
        const used = new Map(
          (await sites.all())
            .filter(({ controllerId }) => controllerId === stored?.id)
            .map(({ controllerSite, id }) => [controllerSite, id]),
        );
        let tested: ControllerSpec | undefined;
        const open = (): ControllerSpec => (tested = openSpec(stored, input));
        const notePassed = (): void => {
          if (!tested) return;
          const isStored = !input.credentials && isDeepStrictEqual(tested.settings, stored?.settings);
          if (isStored || !stored) passedTests?.notePassed(tested, stored?.id);
        };
        const done = runConnectionTest({
          open,
          deps,
          signal,
          report: ({ sites: offered, ...step }, error) => {
            // The last one: all before it have passed.
            if (step.step === 'sites' && step.state === 'ok') notePassed();
            report(
              {
                ...step,
                ...(offered && {
                  sites: offered.map((site) => ({ ...site, siteId: used.get(site.id) ?? null })),
                }),
              },
              error,
            );
          },
        }).finally(end);
        return { done };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
};
