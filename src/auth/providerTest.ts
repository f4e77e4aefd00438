import type { SingleSignOnConfig } from '../config/singleSignOnEnvironment.js';
import { toStoredLine } from '../lib/label.js';
import type { System } from '../lib/system.js';
import { discoverProvider } from './providerDiscovery.js';
import { describeProviderError, fieldOf } from './providerError.js';

/** A step of the test. `unknown`: the answer does not tell. */
export interface ProviderTestStep {
  readonly step: 'discovery' | 'credentials';
  readonly outcome: 'ok' | 'failed' | 'unknown';
  /** What was said, or went wrong, in the words of the provider or the library; null when nothing was. */
  readonly detail: string | null;
}

export type TestProvider = (config: SingleSignOnConfig, callback: string) => Promise<ProviderTestStep[]>;

const maxDetailLength = 300;

/**
 * Tests a provider as far as that is possible without a person: asks what it says about itself, and then for
 * tokens for a code that it never gave. One that knows the client refuses the code; one that does not refuses
 * the client.
 */
export const makeTestProvider =
  (system: System): TestProvider =>
  async (config, callback) => {
    const { genericGrantRequest } = await import('openid-client');
    // First hidden, then cut: what is cut could still begin with it.
    const detailOf = (error: unknown): string =>
      toStoredLine(describeProviderError(error, config.clientSecret), maxDetailLength);
    let configuration;
    try {
      configuration = await discoverProvider(config);
    } catch (error) {
      return [{ step: 'discovery', outcome: 'failed', detail: detailOf(error) }];
    }
    const discovery: ProviderTestStep = { step: 'discovery', outcome: 'ok', detail: null };
    const random = (): string => system.randomBytes(32).toString('base64url');
    try {
      await genericGrantRequest(configuration, 'authorization_code', {
        code: random(),
        redirect_uri: callback,
        code_verifier: random(),
      });
      return [discovery, { step: 'credentials', outcome: 'unknown', detail: null }];
    } catch (error) {
      const outcome = outcomeOf(error);
      return [discovery, { step: 'credentials', outcome, detail: outcome === 'ok' ? null : detailOf(error) }];
    }
  };

const outcomeOf = (error: unknown): ProviderTestStep['outcome'] => {
  const code = fieldOf(error, 'error');
  if (code === 'invalid_grant') return 'ok';
  if (code === 'invalid_client' || code === 'unauthorized_client' || fieldOf(error, 'status') === 401)
    return 'failed';
  return 'unknown';
};
