import { ALIAS_RETURN_PAGE } from '@pennant/contract/aliases.ts'
import { isObject, listOf, objectOf, textOrNull, type Json } from '../json.ts'
import { sourceOf, valueAt, type RctfConfig } from './config.ts'

// The configuration of this program from that of rCTF.

/** Keys with the same meaning in both. */
const SAME_KEYS = [
  'ctfName',
  'meta',
  'homeContent',
  'csp',
  'origin',
  'tokenKey',
  'startTime',
  'endTime',
  'divisions',
  'defaultDivision',
  'divisionACLs',
  'registrationsEnabled',
  'userMembers',
  'maxMembers',
  'loginTimeout',
  'maxAvatarSize',
  'maxRequestBodySize',
  'shutdownTimeout',
  'idleTimeout',
  'leaderboard',
  'proxy',
  'scoreProvider',
  'captcha',
  'analytics',
  'bloodBot',
  'avatarsModeration',
  'defaultInstancer',
  'globalSiteTag',
  'instanceType',
  'email',
  'faviconUrl',
  'logoLightUrl',
  'logoDarkUrl',
  'flagFormatPlaceholder',
]

/** Paths that are left out, and why. */
const LEFT_OUT: readonly (readonly [path: string, why: string])[] = [
  [
    'database.sql',
    'is left out: it is the database of rCTF. Set `database.url` to an empty one, and copy the contest with `pennant import rctf <source>`',
  ],
  ['database.redis', 'is left out: never share the Redis of rCTF. Set `redis.url` to another one, or none'],
  ['database.migrate', 'is left out: migrations run at the start here; `database.migrate: never` stops that'],
  ['challengeProvider', 'is left out: challenges are in the database'],
  ['leaderboard.updateInterval', 'is left out: standings are updated with each change'],
]

/** Keys that other functions convert. */
const CONVERTED = [
  'ctftime',
  'recaptcha',
  'logoUrl',
  'sponsors',
  'instancers',
  'adminBot',
  'uploadProvider',
  'database',
]

export interface Conversion {
  readonly isV1: boolean
  /** Called with each key that is ambiguous, changed or left out, as `file: key: what`. */
  readonly warn: (message: string) => void
}

/** A name of `instancers` may have dots, so a path is a list there. */
type Warn = (path: string | readonly string[], text: string) => void

/** Throws nothing: what does not fit is left out with a warning. */
export function configurationOf(config: RctfConfig, { isV1, warn: report }: Conversion): Json {
  const given = config.values
  const warn: Warn = (path, text) => {
    const keys = typeof path === 'string' ? path.split('.') : path
    const source = sourceOf(config, keys)
    report(`${source === '' ? '' : `${source}: `}${keys.join('.')} ${text}.`)
  }
  const values: Record<string, unknown> = {}
  for (const key of SAME_KEYS) if (given[key] !== undefined) values[key] = given[key]
  for (const [path, why] of LEFT_OUT) if (valueAt(given, path.split('.')) !== undefined) warn(path, why)
  for (const key of Object.keys(given))
    if (!SAME_KEYS.includes(key) && !CONVERTED.includes(key) && key !== 'challengeProvider')
      warn(key, 'is left out: this key is unknown')
  if (isObject(values['leaderboard'])) {
    const { updateInterval: _, ...leaderboard } = values['leaderboard']
    values['leaderboard'] = leaderboard
  }
  Object.assign(
    values,
    rankingSite(given, warn),
    captchaOf(given, warn),
    appearance(given, warn),
    instancersOf(given, warn),
    adminBotOf(given, warn),
    uploadsOf(given, warn),
    rulesOf(given, { isV1, warn }),
  )
  reportReplaced(config, { isV1, warn: report })
  return values
}

function rankingSite({ ctftime }: Json, warn: Warn): Json {
  const { clientId, clientSecret } = objectOf(ctftime)
  if (clientId === undefined) return {}
  warn('ctftime', `is \`extrank\`, with the registered return address ${ALIAS_RETURN_PAGE}`)
  return { extrank: { clientId: String(clientId as string), clientSecret, callbackPath: ALIAS_RETURN_PAGE } }
}

function captchaOf({ recaptcha, captcha }: Json, warn: Warn): Json {
  if (recaptcha === undefined) return {}
  const { protectedActions, ...options } = objectOf(recaptcha)
  if (isObject(captcha) && captcha['provider'] !== undefined) {
    warn('recaptcha', 'is left out: `captcha` is set too')
    return {}
  }
  if (listOf(protectedActions).length === 0) {
    warn('recaptcha', 'is left out: it has no `protectedActions`, so it protects nothing')
    return {}
  }
  warn('recaptcha', 'is `captcha` with captcha/recaptcha')
  return {
    captcha: { provider: { name: 'captcha/recaptcha', options }, protectedEndpoints: protectedActions },
  }
}

function appearance({ logoUrl, logoLightUrl, sponsors }: Json, warn: Warn): Json {
  const values: Record<string, unknown> = {}
  if (logoUrl !== undefined && logoLightUrl === undefined) {
    warn('logoUrl', 'is `logoLightUrl`; `logoDarkUrl` is not set')
    values['logoLightUrl'] = logoUrl
  }
  if (sponsors === undefined) return values
  const all = listOf(sponsors).map(objectOf)
  if (all.some((each) => 'iconLight' in each || 'iconDark' in each))
    warn('sponsors', 'have one icon here: `iconLight`, else `icon`, else `iconDark`')
  if (all.some((each) => 'small' in each)) warn('sponsors', 'have no `small` here')
  values['sponsors'] = all.map(({ name, description, url, icon, iconLight, iconDark }) => ({
    name,
    description,
    icon: iconLight ?? icon ?? iconDark ?? '',
    ...(url !== undefined && { url }),
  }))
  return values
}

function instancersOf({ instancers }: Json, warn: Warn): Json {
  const entries = Object.entries(objectOf(instancers)).flatMap(([key, value]) => {
    const found = typeof value === 'string' ? { name: value } : objectOf(value)
    const { name } = found
    const options = objectOf(found['options'])
    if (name === 'instancers/docker' && !('hosts' in options))
      return [
        [key, { name: 'instancers/http', options: { ...options, authField: 'rctfAuthToken' } }] as const,
      ]
    if (name === 'instancers/k8s') {
      const { authToken, ...rest } = options
      warn(
        ['instancers', key, 'name'],
        'is instancers/kubernetes, which needs a `domain` and its own rights: it creates namespaces itself instead of writing ' +
          'objects for the operator',
      )
      const token = authToken === undefined ? {} : { token: authToken }
      return [[key, { name: 'instancers/kubernetes', options: { ...rest, ...token } }] as const]
    }
    if (name === 'instancers/paradigmctf') {
      warn(['instancers', key], 'is left out: instancers/paradigmctf has no counterpart')
      return []
    }
    return [[key, found] as const]
  })
  return entries.length > 0 ? { instancers: Object.fromEntries(entries) } : {}
}

function adminBotOf({ adminBot }: Json, warn: Warn): Json {
  const { provider, ...rest } = objectOf(adminBot)
  if (provider === undefined) return {}
  const found = typeof provider === 'string' ? { name: provider } : objectOf(provider)
  if (found['name'] !== 'admin-bots/rctf-ts') return { adminBot }
  warn('adminBot.provider', 'is admin-bots/browser; sources for Puppeteer run in the worker of rCTF only')
  return { adminBot: { ...rest, provider: { ...found, name: 'admin-bots/browser' } } }
}

function uploadsOf({ uploadProvider }: Json, warn: Warn): Json {
  if (uploadProvider === undefined) return {}
  const given = typeof uploadProvider === 'string' ? { name: uploadProvider } : objectOf(uploadProvider)
  const name = given['name'] === 'uploads/dummy' ? 'uploads/local' : textOrNull(given['name'])
  if (name !== given['name']) warn('uploadProvider', 'is uploads/local')
  if (name !== 'uploads/local') return { uploadProvider: { ...given, name } }
  const { endpoint, ...options } = objectOf(given['options'])
  if (endpoint !== undefined)
    warn('uploadProvider.options.endpoint', 'is left out: files are below /uploads/')
  const folder = textOrNull(options['uploadDirectory'])
  if (folder === null || !folder.startsWith('/'))
    warn(
      'uploadProvider',
      `has the folder ${folder ?? 'uploads'}, which is relative to the data folder here, and to the program there. ` +
        '`pennant import rctf --files` copies the files',
    )
  return { uploadProvider: { name, options } }
}

/** The only formula of version 1. */
export const LEGACY_SCORES: Json = { scoreProvider: { name: 'scores/legacy' } }

function rulesOf(given: Json, { isV1, warn }: { readonly isV1: boolean; readonly warn: Warn }): Json {
  if (objectOf(given['proxy'])['trust'] === undefined)
    warn(
      'proxy.trust',
      `is not set, and has another default: ${isV1 ? 'none' : 'two proxies'} there, proxies on this machine here. Set it, ` +
        'because rate limits count client addresses',
    )
  if (!isV1) return {}
  if (hasOverlappingRules(given))
    warn(
      'divisionACLs',
      'has several rules: version 1 uses the first that matches, this program all that match',
    )
  warn('scoreProvider', 'is scores/legacy, the formula of version 1')
  return LEGACY_SCORES
}

/** Version 1 uses the first rule that matches, this program the divisions of all rules that match. */
export function hasOverlappingRules(config: Json): boolean {
  return listOf(config['divisionACLs']).length > 1
}

/** Variables that replace a value of a file. */
function reportReplaced({ layers }: RctfConfig, { isV1, warn }: Conversion): void {
  for (const [at, { source, values }] of layers.entries()) {
    if (!/^(RCTF|DOCKER|K8S)_/.test(source)) continue
    const path = pathIn(values)
    const before = layers.slice(0, at).findLast((layer) => valueAt(layer.values, path) !== undefined)
    if (!before || valueAt(before.values, path) === valueAt(values, path)) continue
    const isOption = isV1 && path.includes('options')
    warn(
      `${source}: ${path.join('.')} replaces the value of ${before.source}${isOption ? '; version 1 used the file' : ''}.`,
    )
  }
}

/** A variable sets one value. */
function pathIn(values: Json): string[] {
  const [entry] = Object.entries(values)
  if (!entry) return []
  const [key, value] = entry
  return [key, ...(isObject(value) ? pathIn(value) : [])]
}
