import { z } from 'zod'
import { HttpUrl } from '../lib/service-url.ts'
import { Text } from './fields.ts'

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/** What a preset knows of a provider. Without an issuer, it differs for each customer. */
const PRESETS = {
  google: { label: 'Google', issuer: 'https://accounts.google.com' },
  gitlab: { label: 'GitLab', issuer: 'https://gitlab.com' },
  microsoft: { label: 'Microsoft' },
  keycloak: { label: 'Keycloak' },
  /** These two have OAuth 2 and an own address for the account, not OpenID Connect. The issuer is only a name. */
  github: { label: 'GitHub', issuer: 'https://github.com' },
  discord: { label: 'Discord', issuer: 'https://discord.com' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly issuer?: string }>>

type Preset = keyof typeof PRESETS

/** Tenants of Microsoft that are open to everyone, whose issuer is not that of the tokens. */
const SHARED_TENANT = /^\/(?:common|organizations|consumers)\//

const Domain = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => DOMAIN.test(text), { error: 'must be a domain such as school.example' })

const written = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/, { error: 'must be 1 to 32 lower-case letters, digits or -' }),
  preset: z.enum(Object.keys(PRESETS) as [Preset, ...Preset[]]).optional(),
  label: z.string().min(1).max(64).optional(),
  issuer: HttpUrl.optional(),
  clientId: z.union([Text, z.int()]).transform(String),
  clientSecret: Text.optional(),
  scopes: z.array(z.string().regex(/^\S+$/)).max(20).optional(),
  create: z.boolean().default(true),
  domains: z.array(Domain).max(100).default([]),
  groups: z.array(Text).max(100).default([]),
  groupsClaim: Text.default('groups'),
  divisions: z
    .array(
      z
        .strictObject({ group: Text.optional(), domain: Domain.optional(), division: Text })
        .refine(({ group, domain }) => (group === undefined) !== (domain === undefined), {
          error: 'needs either `group` or `domain`',
        }),
    )
    .max(100)
    .default([]),
})

const SignInProvider = written.transform((given, context) => {
  const preset = given.preset && PRESETS[given.preset]
  const issuer = given.issuer ?? (preset && 'issuer' in preset ? preset.issuer : undefined)
  const problem = issuerProblem(issuer) ?? limitProblem(given)
  if (problem !== null) context.addIssue(problem)
  return {
    ...given,
    issuer: issuer ?? '',
    label: given.label ?? preset?.label ?? given.id,
    isPlainOauth: given.preset === 'github' || given.preset === 'discord',
  }
})

function issuerProblem(issuer: string | undefined): string | null {
  if (issuer === undefined) return 'needs an `issuer`'
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (url === null) return null
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !isLocal) return '`issuer` must be an https: URL'
  if (url.hostname === 'login.microsoftonline.com' && SHARED_TENANT.test(url.pathname))
    return '`issuer` must name one tenant: `https://login.microsoftonline.com/<tenant id>/v2.0`'
  return null
}

type Written = z.output<typeof written>

/** A limit that the provider proves nothing for would let no one in. */
function limitProblem({ preset, issuer, domains, groups, divisions }: Written): string | null {
  const needsDomain = domains.length > 0 || divisions.some(({ domain }) => domain !== undefined)
  const needsGroup = groups.length > 0 || divisions.some(({ group }) => group !== undefined)
  const isPlain = preset === 'github' || preset === 'discord'
  if (isPlain && issuer !== undefined) return '`issuer` is that of the preset: leave it out'
  if (isPlain && (needsDomain || needsGroup)) return 'this preset proves neither `domains` nor `groups`'
  return preset === 'microsoft' && needsDomain
    ? 'Microsoft does not prove addresses: the tenant in `issuer` is the limit'
    : null
}

/** Sign-in with accounts of other sites. */
export const SignInProviders = z
  .array(SignInProvider)
  .max(20)
  .superRefine((providers, context) => {
    for (const key of ['id', 'issuer'] as const)
      if (new Set(providers.map((each) => each[key])).size < providers.length)
        context.addIssue(`two providers have the same ${key}`)
  })

export type SignInProvider = z.output<typeof SignInProvider>
