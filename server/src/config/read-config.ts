import { StartError } from '../lib/errors.ts'
import { configuredTimes } from '../lib/event-times.ts'
import { configKeys, type Config, type Written } from './config.ts'
import { listKeys } from './keys.ts'
import { defaultInstancerProblem } from './instance-keys.ts'
import { mergeLayers, type Layer, type Values } from './layers.ts'
import { renameOldKeys } from './legacy.ts'
import { sentenceOf } from '../lib/sentences.ts'
import { adviceForRctfKey, renameRctfProviders } from './rctf-providers.ts'
import { lineOf, problemsOf, suggest, type Problem } from './problems.ts'

/**
 * Turns files and environment into one validated configuration. Pure; reports all errors at once. Some layer
 * must contain `tokenKey`: the key created at the first start is the layer with the lowest precedence. Without
 * `startTime`, the event is not scheduled.
 */
export function readConfig(layers: readonly Layer[], warn: (message: string) => void = () => {}): Config {
  const renamed = renameRctfProviders(renameOldKeys(mergeLayers(layers), warn), layers, warn)
  const { written, problems } = check(renamed.values)
  problems.push(...renamed.problems)
  const { tokenKey } = written
  const { startTime, endTime } = configuredTimes(written)
  if (written.startTime !== undefined && startTime >= endTime)
    problems.push({ path: ['endTime'], message: 'must be after startTime' })
  problems.push(...checkDivisions(written), ...secondFactorProblems(written))
  const wrongDefault = written.instancers && defaultInstancerProblem(written)
  if (wrongDefault) problems.push({ path: ['defaultInstancer'], message: wrongDefault })
  problems.push(...publicDemoProblems(written))

  const lines = layers.flatMap((layer) => layer.problems ?? [])
  lines.push(...problems.map((problem) => lineOf(problem, layers)))
  if (lines.length > 0) throw new StartError(lines.join('\n'))
  if (!isComplete(written) || !tokenKey) throw new StartError('tokenKey is missing')
  const origin = written.origin ?? `http://localhost:${written.port}`
  return { ...written, origin, tokenKey, startTime, endTime }
}

interface Checked {
  /** Valid values; an invalid key is absent. */
  readonly written: Partial<Written>
  readonly problems: Problem[]
}

function check(values: Values): Checked {
  const known = listKeys(configKeys).map(({ path }) => path.join('.'))
  const written: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [key, schema] of Object.entries(configKeys)) {
    // YAML allows a key without a value; it counts as absent.
    const result = schema.safeParse(values[key] ?? undefined, { error: sentenceOf })
    if (result.success) written[key] = result.data
    for (const issue of result.error?.issues ?? []) {
      const at = { ...issue, path: [key, ...issue.path] }
      problems.push(...problemsOf(at, known))
    }
  }
  for (const key of Object.keys(values)) {
    if (!(key in configKeys))
      problems.push({
        path: [key],
        message: `unknown key${adviceForRctfKey(key) || suggest([], key, known)}`,
      })
  }
  return { written: written as Partial<Written>, problems }
}

function isComplete(written: Partial<Written>): written is Written {
  return Object.keys(configKeys).every((key) => key in written)
}

function checkDivisions({
  divisions,
  defaultDivision,
  divisionACLs = [],
  people,
}: Partial<Written>): Problem[] {
  if (!divisions) return []
  const problems: Problem[] = []
  const expect = (division: string, path: readonly PropertyKey[]) => {
    if (!Object.hasOwn(divisions, division)) problems.push({ path, message: `no such division: ${division}` })
  }
  if (defaultDivision !== undefined) expect(defaultDivision, ['defaultDivision'])
  for (const [index, rule] of divisionACLs.entries()) {
    for (const division of rule.divisions) expect(division, ['divisionACLs', index, 'divisions'])
  }
  for (const [index, provider] of (people?.providers ?? []).entries()) {
    for (const [at, { division }] of provider.divisions.entries())
      expect(division, ['people', 'providers', index, 'divisions', at, 'division'])
  }
  return problems
}

/** Only people have a second factor. */
function secondFactorProblems({ people, organisers }: Partial<Written>): Problem[] {
  if (people?.mode !== 'off' || !organisers?.secondFactor.length) return []
  return [{ path: ['organisers', 'secondFactor'], message: 'needs people: `people` must not be `off`' }]
}

/** What sends something, or stores it elsewhere. */
const OUTSIDE_KEYS = [
  'email',
  'instancers',
  'adminBot',
  'extrank',
  'analytics',
  'captcha',
  'avatarsModeration',
  'bloodBot',
  'questionBot',
] as const satisfies (keyof Written)[]

/** Strangers are organisers of a public demo, so that it must not reach anything outside. */
function publicDemoProblems(written: Partial<Written>): Problem[] {
  if (!written.publicDemo) return []
  // Without instancers, their map is empty.
  const set = OUTSIDE_KEYS.filter((key) => Object.keys(written[key] ?? {}).length > 0)
  const message = 'cannot be combined with `publicDemo`, which sends nothing'
  return [
    ...set.map((key) => ({ path: [key], message })),
    ...(written.uploadProvider?.name === 'uploads/local' ? [] : [{ path: ['uploadProvider'], message }]),
    ...(written.backup?.schedule ? [{ path: ['backup', 'schedule'], message }] : []),
    ...(written.tracing?.endpoint === undefined ? [] : [{ path: ['tracing', 'endpoint'], message }]),
    ...(written.database?.url === undefined
      ? []
      : [
          {
            path: ['database', 'url'],
            message: 'cannot be combined with `publicDemo`, whose data is deleted',
          },
        ]),
  ]
}
