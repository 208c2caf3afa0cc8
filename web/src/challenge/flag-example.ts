/** Escapes, classes, groups, repetitions: what a pattern has and an example of a flag does not. */
const PATTERN = /\\|\[.*\]|\(.*\)|[+*?|^$]|\{\d+,?\d*\}/

/**
 * The placeholder of the flag field as an example: an operator may have configured a regular expression, which
 * says nothing to most players. `flag{[\x20-\x7e]+}` becomes `flag{...}`; an example stays as it is.
 */
export function flagExample(configured: string | undefined): string | undefined {
  if (configured === undefined || !PATTERN.test(configured)) return configured
  const prefix = /^\^?([\w-]*)\\?\{/.exec(configured)?.[1] ?? 'flag'
  return `${prefix}{...}`
}
