import type { ReactNode } from 'react';
import { sampleLanguages, type SampleLanguage } from './sampleLanguages.ts';
import {
  documentedRequest,
  keyVariable,
  sentRequest,
  type Fields,
  type SampleRequest,
  type SentRequest,
} from './sampleRequest.ts';
import { readStoredKeys } from './storedKeys.ts';
import type { OperationProps, SwaggerPlugin, SwaggerSystem } from './swaggerUi.ts';

/** The language is the same for all operations. */
let language: SampleLanguage = 'curl';
const languageListeners = new Set<(name: SampleLanguage) => void>();
const chooseLanguage = (name: SampleLanguage): void => {
  language = name;
  for (const listener of languageListeners) listener(name);
};

const languageNames = Object.keys(sampleLanguages) as SampleLanguage[];

const copyText = async (text: string, element: HTMLElement): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Only pages of this machine and those with https may use the clipboard; selecting works everywhere.
    getSelection()?.selectAllChildren(element);
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without https
    document.execCommand('copy');
  }
};

/**
 * Shows code samples above the responses: of the examples, and once something was sent, of that. Swagger UI's own curl line
 * would show the key. `base` is where the service is.
 */
export const makeSamplesPanel =
  (base: string) =>
  ({ React }: SwaggerSystem): SwaggerPlugin => {
    const { createElement: element, Fragment, useEffect, useRef, useState } = React;

    const Samples = ({ request }: { readonly request: SampleRequest }): ReactNode => {
      const [chosen, setChosen] = useState(language);
      const [copied, setCopied] = useState(false);
      const code = useRef<HTMLElement>(null);
      useEffect(() => {
        languageListeners.add(setChosen);
        return () => void languageListeners.delete(setChosen);
      }, []);
      const text = sampleLanguages[chosen](request);
      useEffect(() => setCopied(false), [text]);
      const copy = (): void => {
        if (code.current) void copyText(text, code.current).then(() => setCopied(true));
      };
      const tabs = languageNames.map((name) =>
        element(
          'button',
          {
            key: name,
            type: 'button',
            'aria-pressed': name === chosen,
            onClick: () => chooseLanguage(name),
          },
          name,
        ),
      );
      const usesKey = request.headers.some((header) => 'isKey' in header);
      return element(
        'section',
        { className: 'samples', 'aria-label': 'Code samples' },
        element(
          'div',
          { className: 'samples-bar' },
          element('div', { role: 'group', 'aria-label': 'Language' }, tabs),
          element(
            'button',
            { type: 'button', className: 'samples-copy', onClick: copy },
            copied ? 'Copied' : 'Copy',
          ),
        ),
        element('pre', { tabIndex: 0 }, element('code', { ref: code }, text)),
        usesKey &&
          element(
            'p',
            null,
            'The API key comes from the environment variable ',
            element('code', null, keyVariable),
            '.',
          ),
      );
    };

    const requestOf = ({ path, method, specSelectors }: OperationProps): SampleRequest => {
      const contract = specSelectors.specJson().toJS() as Fields;
      const sent = specSelectors.mutatedRequestFor(path, method)?.toJS() as Partial<SentRequest> | undefined;
      return sent?.url !== undefined && sent.method !== undefined
        ? sentRequest(
            contract,
            { ...sent, url: sent.url, method: sent.method },
            readStoredKeys().map(([, key]) => key),
          )
        : documentedRequest(contract, base, path, method);
    };

    return {
      wrapComponents: {
        curl: () => () => null,
        responses: (Responses) => (props) =>
          element(Fragment, null, element(Samples, { request: requestOf(props) }), element(Responses, props)),
      },
    };
  };
