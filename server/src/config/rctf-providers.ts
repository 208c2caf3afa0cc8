import type { Problem } from './problems.ts'
import { findAt, isValues, type Layer, type Values } from './layers.ts'

// Providers that have another name, or another meaning, at rCTF: docs/reference/configuration-rules.md#providers-of-rctf

/** Providers of rCTF that cannot be configured here, and what to do. */
export const RCTF_ONLY: Readonly<Record<string, string>> = {
  'instancers/k8s':
    'writes objects for the operator of rCTF, which is not used here. Use `instancers/kubernetes`: it creates the namespaces ' +
    'itself, so it needs a `domain`, its own rights, and `token` instead of `authToken`; `config.pods` of challenges stays',
  'instancers/paradigmctf': 'is an instancer of rCTF without a counterpart here',
}

const RENAMED: readonly { readonly path: readonly string[]; readonly old: string; readonly now: string }[] = [
  { path: ['adminBot', 'provider'], old: 'admin-bots/rctf-ts', now: 'admin-bots/browser' },
  { path: ['uploadProvider'], old: 'uploads/dummy', now: 'uploads/local' },
]

/** Variables of the instancer service, which apply to each `instancers/docker` of rCTF, and its options. */
export const DOCKER_SERVICE: Readonly<Record<string, string>> = {
  DOCKER_INSTANCER_API_URL: 'apiUrl',
  DOCKER_INSTANCER_AUTH_TOKEN: 'authToken',
}

/** Keys by which a configuration of rCTF is recognised. */
const RCTF_KEYS = ['ctftime', 'recaptcha', 'challengeProvider', 'logoUrl']

/** What to do about an unknown key of rCTF; empty for others. */
export function adviceForRctfKey(key: string): string {
  if (!RCTF_KEYS.includes(key)) return ''
  return ' of rCTF; `pennant import rctf --config <folder>` makes a configuration from that of rCTF'
}

interface Renamed {
  readonly values: Values
  readonly problems: readonly Problem[]
}

/** Pure. The values of the layers with the names of this program. */
export function renameRctfProviders(
  given: Values,
  layers: readonly Layer[],
  warn: (message: string) => void,
): Renamed {
  const values: Record<string, unknown> = structuredClone(given)
  for (const { path, old, now } of RENAMED) {
    const parent = findAt(values, path.slice(0, -1)) as Record<string, unknown>
    const key = path.at(-1) ?? ''
    const found = providerOf(findAt(values, path))
    if (found?.name !== old) continue
    parent[key] = { ...found, name: now }
    warn(`${path.join('.')}: ${old} of rCTF, read as ${now}`)
  }
  const { instancers } = values
  const problems: Problem[] = []
  if (!isValues(instancers)) return { values, problems }
  const service = Object.assign({}, ...layers.map((layer) => layer.dockerService)) as Values
  const renamed = Object.entries(instancers).map(([name, value]) => {
    const found = providerOf(value)
    if (found?.name !== 'instancers/docker') return [name, value]
    const { options } = found
    const isService = Object.values(DOCKER_SERVICE).some((key) => key in options || key in service)
    if (!isService) return [name, value]
    if ('hosts' in options) {
      problems.push({ path: ['instancers', name, 'options', 'hosts'], message: BOTH })
      return [name, { ...found, options: { hosts: options['hosts'] } }]
    }
    warn(`instancers.${name}: the service of rCTF, read as instancers/http with authField rctfAuthToken`)
    return [
      name,
      { name: 'instancers/http', options: { authField: 'rctfAuthToken', ...options, ...service } },
    ]
  })
  return { values: { ...values, instancers: Object.fromEntries(renamed) }, problems }
}

const BOTH =
  'are engines of Docker, but `apiUrl`, `authToken` or a variable DOCKER_INSTANCER_… configure the instancer service of rCTF: ' +
  'remove one of them. The service is `instancers/http`'

function providerOf(value: unknown): { readonly name: unknown; readonly options: Values } | null {
  if (typeof value === 'string') return { name: value, options: {} }
  if (!isValues(value)) return null
  const { name, options } = value
  return { name, options: isValues(options) ? options : {} }
}
