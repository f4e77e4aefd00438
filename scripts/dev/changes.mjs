/** `+ getSite (mocked), ~ listSites, - oldOne`: what a contract brought, in a line. */
export const loadedLine = ({ added, changed, removed, mocked }) => {
  const name = (id) => (mocked.includes(id) ? `${id} (mocked)` : id);
  const parts = [
    ...added.map((id) => `+ ${name(id)}`),
    ...changed.map((id) => `~ ${name(id)}`),
    ...removed.map((id) => `- ${id}`),
  ];
  return parts.join(', ') || 'no operation changed';
};
