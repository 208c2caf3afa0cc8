import { workerPolicy } from '@pennant/contract/site-policy.ts'
import { StartError } from '../../lib/errors.ts'

/** Sources that may be used beside the site's own, by directive (`script-src`, `frame-src`, …). */
export type ContentSources = Readonly<Record<string, readonly string[]>>

const own: ContentSources = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:', 'https:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

/** Only while every script is ours: those of captchas and analytics need not obey them. */
const trustedTypes: ContentSources = {
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['dompurify', workerPolicy],
}

/** Without the names of policies where nobody is asked for one: named alone, they would forbid those of foreign scripts. */
function withoutPolicies(sources: ContentSources): ContentSources {
  const { 'trusted-types': _, ...others } = sources
  return others
}

/** What every answer of the site carries (ruling 23). `extra` comes from providers and the configuration. */
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
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }
}

// `'none'` beside another source would be ignored by browsers with a warning.
function joined(old: readonly string[], added: readonly string[]): string[] {
  const all = [...new Set([...old, ...added])]
  return all.length > 1 ? all.filter((source) => source !== "'none'") : all
}

/** A source with a semicolon or a line break would open a directive or a header of its own. */
function checked(directive: string, sources: readonly string[]): readonly string[] {
  const wrong = [directive, ...sources].find((text) => !/^[^\s;,]+$/.test(text))
  if (wrong === undefined) return sources
  throw new StartError(
    `csp.${directive}: ${JSON.stringify(wrong)} is not one source of a content security policy`,
  )
}
