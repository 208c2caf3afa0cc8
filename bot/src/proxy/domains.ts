import type { DomainRestrictions } from '../author/options.ts'

/**
 * Applies the author's rules in this order: allowed host, denied host, allowed URL, denied URL; otherwise
 * allowed. For an encrypted request only scheme, host and port are known, so the URL ends after the port.
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
