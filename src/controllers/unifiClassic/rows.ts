import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { JSONParser, TokenType } from '@streamparser/json';
import type { Fields } from '../connection/reading.js';

/** How much is parsed before others have their turn. */
const pieceBytes = 4 * 1024;

/**
 * The rows of an answer's `data`, while the rest of it is still on its way. Returns the answer's other fields, which
 * may stand before the rows or after them, with an empty `data`. Throws when the answer is cut off or no JSON.
 */
export const rowsOf = async function* (body: Readable): AsyncGenerator<unknown, Fields> {
  const rows: unknown[] = [];
  const fields: Record<string, unknown> = {};
  const parser = new JSONParser({
    paths: ['$.meta', '$.error', '$.data.*'],
    // Rows that were told are let go.
    keepStack: false,
    // Texts are gathered as bytes, not as a string per letter.
    stringBufferSize: 256,
    numberBufferSize: 32,
  });
  parser.onValue = ({ value, key, stack }) => {
    if (stack.length > 1 && fields['data'] !== undefined) rows.push(value);
    else if (stack.length === 1) fields[String(key)] = value;
  };
  // The parser tells of no row when there is none; and an answer without `data` is no empty list.
  let depth = 0;
  let key: unknown;
  parser.onToken = ({ token, value }) => {
    if (token === TokenType.LEFT_BRACKET && depth === 1 && key === 'data') fields['data'] = [];
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--;
    else if (token === TokenType.STRING && depth === 1) key = value;
  };
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (let start = 0; start < chunk.length; start += pieceBytes) {
        parser.write(chunk.subarray(start, start + pieceBytes));
        yield* rows.splice(0);
        await turn();
      }
    }
    if (!parser.isEnded) throw new Error('cut off');
    return fields;
  } finally {
    body.destroy();
  }
};
