import { createContext, useContext } from 'react';
import { api } from '../api/api.ts';
import type { Schemas } from '../api/schemas.ts';
import { basePath } from '../api/serviceMeta.ts';

export type CurrentUser = Schemas['CurrentUser'];

export const UserContext = createContext<CurrentUser | undefined>(undefined);

/** Who is signed in, for what is only shown to them. */
export const useCurrentUser = (): CurrentUser => {
  const user = useContext(UserContext);
  if (!user) throw new Error('nobody is signed in');
  return user;
};

/** Other pages of this host may store something, too: what is ours begins with our name. */
const forgetDrafts = (): void => {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith('voucherd.')) sessionStorage.removeItem(name);
};

/** Signs out, and shows the sign-in. What was typed in this tab and not sent is forgotten. */
export const useSignOut = () =>
  api.useMutation('delete', '/session', {
    onSettled: () => {
      forgetDrafts();
      location.assign(`${basePath}/`);
    },
  });
