/** What the tool's `config.php` says, as far as an import needs it. */
export interface PhpConfig {
  readonly host?: string;
  readonly database?: string;
  readonly user?: string;
  readonly password?: string;
  readonly appKey?: string;
  readonly timeZone?: string;
}

/** `define('NAME', 'value')`, or `getenv('NAME') ?: 'value'` of the Docker image in place of the value. */
const definition =
  /define\(\s*'(\w{1,40})'\s*,\s*(?:getenv\(\s*'(\w{1,40})'\s*\)\s*\?:\s*)?'((?:[^'\\]|\\[^])*)'\s*\)/g;
const zone = /date_default_timezone_set\(\s*(?:getenv\(\s*'\w{1,40}'\s*\)\s*\?:\s*)?'([\w/+-]{1,60})'\s*\)/;

/** In single quotes, only a quote and a backslash are escaped. */
const unescape = (text: string): string => text.replaceAll(/\\([\\'])/g, '$1');

/** Parses `config.php` without running it. A variable of the environment wins, as it does there. */
export const parsePhpConfig = (
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): PhpConfig => {
  const values = new Map<string, string>();
  for (const [, name = '', variable = '', value = ''] of text.matchAll(definition))
    values.set(name, env[variable] || unescape(value));
  const [, timeZone] = zone.exec(text) ?? [];
  const pick = (key: keyof PhpConfig, value: string | undefined): PhpConfig =>
    value ? { [key]: value } : {};
  const password = values.get('DB_PASS');
  return {
    ...pick('host', values.get('DB_HOST')),
    ...pick('database', values.get('DB_NAME')),
    ...pick('user', values.get('DB_USER')),
    // It may be empty.
    ...(password !== undefined && { password }),
    ...pick('appKey', values.get('APP_KEY')),
    ...pick('timeZone', timeZone),
  };
};
