import type { DomainRestrictions } from '../author/options.ts'

/**
 * The rules of an author, in their order: a host that is allowed, one that is not, an address that is allowed, one that
 * is not, else yes. Of an encrypted request only scheme, host and port are known: its address ends there.
 */
export function isDomainAllowed({ host, url }: DomainRestrictions, address: URL): boolean {
  const name = address.hostname
  if (isFound(host.allowRegex, name)) return true
  if (isFound(host.disallowRegex, name)) return false
  if (isFound(url.allowRegex, address.href)) return true
  return !isFound(url.disallowRegex, address.href)
}

function isFound(rules: readonly RegExp[], text: string): boolean {
  return rules.some((rule) => rule.test(text))
}
