import type { Database } from '../../../db/database.ts'
import type { FlagEntry, Flags } from '../../../providers/flags/flags.ts'
import type { WorldView } from '../../../world/model.ts'
import { findMinted } from './store.ts'

interface Submitted {
  readonly challengeId: string
  readonly flag: string
}

interface RightFlagDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly flags: Pick<Flags, 'findMatch'>
}

const DYNAMIC = 'flags/dynamic'

/**
 * The wrong flags that give away a right one: they are right for some challenge now, or for another team, or differ from
 * the flag of another challenge or team only in case and blanks.
 */
export async function findRevealing<T extends Submitted>(
  { db, world, flags }: RightFlagDeps,
  submitted: readonly T[],
): Promise<ReadonlySet<T>> {
  const challenges = world().challenges()
  const fixed = fixedFlags(challenges)
  const patterns = challenges.flatMap((challenge) => challenge.flags.filter((entry) => !isListed(entry)))
  const minted = new Set(
    await findMinted(
      db,
      submitted.map(({ flag }) => loose(flag)),
    ),
  )
  const revealing = new Set<T>()
  for (const each of submitted) {
    const { flag, challengeId } = each
    const owners = fixed.loose.get(loose(flag)) ?? []
    const isOther = owners.some((owner) => owner !== challengeId)
    const matches = async () =>
      (await flags.findMatch(patterns, { challengeId, teamId: '', text: flag })) !== null
    if (fixed.exact.has(flag) || isOther || minted.has(loose(flag)) || (await matches())) revealing.add(each)
  }
  return revealing
}

/** Those that are compared with lists; the others decide themselves. */
function isListed(entry: FlagEntry): boolean {
  return entry.provider === DYNAMIC || valueOf(entry) !== null
}

function valueOf({ config }: FlagEntry): string | null {
  return typeof config['flag'] === 'string' ? config['flag'] : null
}

function loose(flag: string): string {
  return flag.trim().toLowerCase()
}

function fixedFlags(challenges: readonly { readonly id: string; readonly flags: readonly FlagEntry[] }[]) {
  const exact = new Set<string>()
  const owners = new Map<string, string[]>()
  for (const { id, flags } of challenges)
    for (const entry of flags) {
      const value = valueOf(entry)
      if (value === null) continue
      exact.add(value)
      owners.set(loose(value), [...(owners.get(loose(value)) ?? []), id])
    }
  return { exact, loose: owners }
}
