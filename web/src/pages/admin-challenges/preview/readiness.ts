import { DEFAULT_FLAG_PROVIDER } from '@pennant/contract/admin-challenges.ts'
import type { Draft } from '../draft.ts'
import type { SectionId } from '../editor/problems.ts'

/** What players would notice when the challenge opens, and the section where it is set. */
export interface Finding {
  readonly id: 'name' | 'category' | 'description' | 'flag' | 'flagFormat'
  readonly isMet: boolean
  readonly section: SectionId
}

/** Checks what a playable challenge needs. `example`: a flag of the event, such as `flag{...}`. */
export function findingsOf(draft: Draft, example = ''): Finding[] {
  const { name, category, description, flags, scoring } = draft
  const exact = flags.flatMap(({ provider, config }) =>
    provider === DEFAULT_FLAG_PROVIDER && typeof config['flag'] === 'string' ? [config['flag']] : [],
  )
  const hasFormat = example.includes('{') && exact.length > 0
  const isScoredLive = scoring.kind === 'dynamic'
  return [
    { id: 'name', isMet: isFilled(name), section: 'details' },
    { id: 'category', isMet: isFilled(category), section: 'details' },
    { id: 'description', isMet: isFilled(description), section: 'details' },
    ...(isScoredLive ? [] : [{ id: 'flag', isMet: flags.length > 0, section: 'flags' } as const]),
    ...(hasFormat && !isScoredLive
      ? [{ id: 'flagFormat', isMet: exact.every((flag) => fits(flag, example)), section: 'flags' } as const]
      : []),
  ]
}

function isFilled(text: string): boolean {
  return text.trim() !== ''
}

function fits(flag: string, example: string): boolean {
  return flag.startsWith(example.slice(0, example.indexOf('{') + 1)) && flag.endsWith('}')
}
