import type { ServiceDefect } from './serviceDefect.js';

/** In how requests are read and refused. */
export const validationDefects: readonly ServiceDefect[] = [
  {
    name: 'headers are not validated',
    file: 'src/contract/runtime/validators.ts',
    from: 'query, headers, cookies, requestBody',
    to: 'query, headers: {}, cookies, requestBody',
  },
  {
    name: 'the last wrong field is named',
    file: 'src/contract/messages.ts',
    from: 'isBefore(found.ranks, first.ranks)',
    to: 'isBefore(first.ranks, found.ranks)',
  },
  {
    name: 'the message by keyword is ignored',
    file: 'src/contract/messages.ts',
    from: 'message?.[keyword] ??',
    to: `message?.[keyword && 'otherwise'] ??`,
  },
  {
    name: 'validation comes before the scope',
    file: 'src/contract/runtime/operations.ts',
    from: '    requireScope,\n    chooseMediaType,\n    receiveBody,\n    convertParameters,\n    validate,\n',
    to: '    chooseMediaType,\n    receiveBody,\n    convertParameters,\n    validate,\n    requireScope,\n',
  },
  {
    name: 'unknown query parameters are refused',
    file: 'src/contract/runtime/operations.ts',
    from: '    const errors = validators.requestErrors',
    to: "    for (const name of new URLSearchParams(request.search).keys())\n      if (!operation.parameters.query.some((parameter) => parameter.name === name))\n        throw new HttpProblem('invalid_request', { message: `${name} unbekannt` });\n    const errors = validators.requestErrors",
  },
  {
    name: 'a body that is no JSON is answered 500',
    file: 'src/contract/bodyTypes.ts',
    from: `  } catch {
    return undefined;`,
    to: `  } catch (error) {
    throw new Error(String(error));`,
  },
  {
    name: 'a body of exactly the largest size is refused',
    file: 'src/http/body.ts',
    from: `> maxBytes) throw tooLarge(maxBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  return`,
    to: `>= maxBytes) throw tooLarge(maxBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  return`,
  },
  {
    name: 'a body without a length may be of any size',
    file: 'src/http/body.ts',
    from: 'if (size <= maxBytes && hasRoom(chunk.length)) {',
    to: 'if (size <= maxBytes * 1024 && hasRoom(chunk.length)) {',
  },
];
