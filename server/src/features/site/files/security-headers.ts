import { WORKER_POLICY } from '@pennant/contract/site-policy.ts'
import { StartError } from '../../../lib/errors.ts'

/** Sources allowed in addition to the site's own, by directive (`script-src`, `frame-src`, …). */
export type ContentSources = Readonly<Record<string, readonly string[]>>

const own: ContentSources = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

/** Only set if all scripts are ours: captcha and analytics scripts may violate Trusted Types. */
const trustedTypes: ContentSources = {
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['dompurify', WORKER_POLICY],
}

/**
 * Drops `trusted-types` if Trusted Types are not required. On its own, the directive would block the policies
 * of third-party scripts.
 */
function withoutPolicies(sources: ContentSources): ContentSources {
  const { 'trusted-types': _, ...others } = sources
  return others
}

/**
 * The headers of every response of the site (docs/reference/site.md#security-headers). `extra` comes from
 * providers and the configuration.
 */
export function securityHeaders(extra: readonly ContentSources[]): Readonly<Record<string, string>> {
  const hasForeignScripts = extra.some((sources) => (sources['script-src'] ?? []).length > 0)
  const policy = new Map<string, readonly string[]>()
  const all = hasForeignScripts ? [own, ...extra.map(withoutPolicies)] : [own, trustedTypes, ...extra]
  for (const sources of all) {
    for (const [directive, added] of Object.entries(sources)) {
      policy.set(directive, joined(policy.get(directive) ?? [], checked(directive, added)))
    }
  }
  return {
    'content-security-policy': [...policy].map(([name, list]) => [name, ...list].join(' ')).join('; '),
    // Isolates our pages from windows of other origins, in both directions.
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }
}

// Drops `'none'` if there are other sources. Browsers would ignore it with a warning.
function joined(old: readonly string[], added: readonly string[]): string[] {
  const all = [...new Set([...old, ...added])]
  return all.length > 1 ? all.filter((source) => source !== "'none'") : all
}

/** Rejects sources with a semicolon or line break, which would inject another directive or header. */
function checked(directive: string, sources: readonly string[]): readonly string[] {
  const wrong = [directive, ...sources].find((text) => !/^[^\s;,]+$/.test(text))
  if (wrong === undefined) return sources
  throw new StartError(
    `csp.${directive}: ${JSON.stringify(wrong)} is not a valid source in a content security policy`,
  )
}
