import { parseBase } from '../../../providers/flags/minting.ts'
import type { CtfdChallenge } from './ctfcli-points.ts'
import { flagOf, reportAt, staticFlag } from './ctfd-flags.ts'
import type { Reader } from './reader.ts'
import type { Json } from './translation.ts'

/** Types of plugins whose challenges are an instance for each team. */
export const NEEDS_INSTANCE: readonly string[] = [
  'container',
  'docker',
  'dynamic_docker',
  'dynamic_iac',
  'kubectf',
]

export function flagsOf(challenge: CtfdChallenge): readonly unknown[] | undefined {
  const { reader } = challenge
  const minted = mintedFlag(challenge)
  if (minted !== null) return [minted]
  return listOf(reader, 'flags', () =>
    reader.items('flags').flatMap((flag, index): unknown[] => {
      const report = reportAt(reader, `flags.${index}`)
      if (typeof flag === 'string') return staticFlag(flag, report)
      const [type, content, data] = [flag.string('type'), flag.string('content'), flag.string('data')]
      return flagOf({ type, content, data }, report)
    }),
  )
}

/** Absent and null are the same; what is empty clears the stored list. */
export function listOf<T>(reader: Reader, name: string, read: () => T): T | readonly never[] | undefined {
  if (reader.raw(name) === undefined) return undefined
  return reader.has(name) ? read() : []
}

/** The flag of a team, if the plugin makes one for each container: random text between a prefix and a suffix. */
function mintedFlag({ reader, extra, type }: CtfdChallenge): Json | null {
  if (!isMinted({ reader, extra, type })) return null
  const [prefix, suffix] = [extra.string('flag_prefix'), extra.string('flag_suffix')]
  const [listed] = reader.list('flags')
  extra.ignore('random_flag_length')
  const base =
    prefix === undefined && suffix === undefined ? baseLike(listed) : `${prefix ?? ''}${suffix ?? ''}`
  if (parseBase(base) === null)
    reader.report('extra.flag_prefix', 'must end with { and flag_suffix must be }, as in flag{…}')
  const message = `the plugin makes a flag for each team and ignores the list; here it is like ${base}`
  reader.warn('flags', message, { lint: 'instance', reason: 'flag' })
  return { kind: 'dynamic', base, mode: 'tail' }
}

export function isMinted({ extra, type }: CtfdChallenge): boolean {
  return (
    type === 'dynamic_docker' || (NEEDS_INSTANCE.includes(type) && extra.string('flag_mode') === 'random')
  )
}

/** The plugin ignores the listed flags; they only show how flags of the event begin. */
function baseLike(listed: unknown): string {
  return `${(typeof listed === 'string' ? /^[^{}]*(?=\{)/.exec(listed)?.[0] : undefined) ?? 'flag'}{}`
}
