import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { solveAll } from '../../web/src/pages/guest/solvePuzzle.ts';
import type { Answer } from '../support/service.js';
import { cookieOf, makeBrowser, type Browser } from '../support/web.js';

/** A guest at a page, with a browser of their own. */
export const makeGuest = (
  api: Parameters<typeof makeBrowser>[0],
  slug: string,
  headers: Readonly<Record<string, string>> = {},
) => {
  let cookie = '';
  const request = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await makeBrowser(api, cookie).request(method, `/guest/${slug}${path}`, {
      headers,
      ...(body && { body }),
    });
    cookie = cookieOf(answer) || cookie;
    return answer;
  };
  const solve = async (orderId: string) => {
    const answer = await request('POST', '/challenge');
    expect(answer.status).toBe(201);
    const puzzle = answer.body as WebSchema<'GuestChallenge'>;
    return { challenge: puzzle.challenge, numbers: solveAll({ ...puzzle, orderId }) };
  };
  const put = (orderId: string, body: object) => request('PUT', `/orders/${orderId}`, body);
  return {
    look: () => request('GET', ''),
    solve,
    put,
    order: async (body: object = {}, orderId: string = randomUUID()) =>
      put(orderId, { ...(await solve(orderId)), ...body }),
    find: (orderId: string) => request('GET', `/orders/${orderId}`),
    withdraw: (orderId: string) => request('DELETE', `/orders/${orderId}`),
  };
};

/** The requests that staff see. */
export const waiting = async (browser: Browser) =>
  ((await browser.get('/guest-requests')).body as WebSchema<'GuestRequestList'>).requests;

export const decide = (browser: Browser, id: string, isApproved: boolean) =>
  browser.post(`/guest-requests/${id}/decision`, { isApproved });
