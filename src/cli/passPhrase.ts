import { minPassPhraseLength } from '../secrets/passPhrase.js';
import { CommandError, type Io } from './io.js';
import { readRequiredSecret, readSecretOption } from './secretInput.js';

/** Where a pass phrase comes from, as options name it. */
export interface PassPhraseOptions {
  readonly passPhraseFile?: string;
  readonly passPhraseEnv?: string;
}

const sourceOf = ({ passPhraseFile, passPhraseEnv }: PassPhraseOptions) => ({
  option: 'pass-phrase',
  file: passPhraseFile,
  env: passPhraseEnv,
});

/** Reads the pass phrase that a file was sealed with. */
export const readPassPhrase = (io: Io, options: PassPhraseOptions, signal?: AbortSignal): Promise<string> =>
  readRequiredSecret(io, 'the pass phrase', { ...sourceOf(options), signal });

/** Reads a new pass phrase: at a terminal twice, because what it seals is lost with a typing error. */
export const readNewPassPhrase = async (io: Io, options: PassPhraseOptions): Promise<string> => {
  const source = sourceOf(options);
  const given = await readSecretOption(io, source);
  const passPhrase = given ?? (await readRequiredSecret(io, 'a new pass phrase', source));
  if (Array.from(passPhrase).length < minPassPhraseLength)
    throw new CommandError(
      'option-invalid',
      `a pass phrase has at least ${String(minPassPhraseLength)} characters`,
    );
  if (given === undefined && (await readRequiredSecret(io, 'the same again', source)) !== passPhrase)
    throw new CommandError('option-invalid', 'the two pass phrases are not the same');
  return passPhrase;
};
