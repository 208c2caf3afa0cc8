import { z } from 'zod'
import { FlagText, flagProvider } from './flags.ts'
import {
  countCarriers,
  MIN_CARRIERS,
  mint,
  parseBase,
  shapeOf,
  type Base,
  type Chance,
  type Shape,
} from './minting.ts'

/** Storage of minted flags. */
export interface MintedFlags {
  /** The team that a flag was minted for: the submitting team if the flag is its own, else the earliest. */
  findOwner(flag: FlagOfBase & { readonly flag: string }): Promise<string | null>
  findOwn(flag: FlagOfBase): Promise<string | null>
  /**
   * False when the team already has a flag, or when another team has this one and duplicates are not allowed.
   */
  add(flag: FlagOfBase & { readonly flag: string; readonly allowDuplicate: boolean }): Promise<boolean>
  /** The number of different flags minted for the base. */
  count(challengeId: string, base: string): Promise<number>
}

export interface FlagOfBase {
  readonly challengeId: string
  readonly teamId: string
  readonly base: string
}

/** Leaves room for the suffix within the maximum length of a submitted flag. */
const LONGEST_BASE = 1000

const Config = z
  .strictObject({
    base: FlagText.max(LONGEST_BASE)
      .refine((base) => parseBase(base) !== null, { error: 'must be prefix{content} in printable ASCII' })
      .meta({ title: 'Template', description: '`prefix{content}`: each team gets a variant of this flag.' }),
    mode: z.enum(['auto', 'leet', 'tail']).default('auto').meta({
      title: 'Variants',
      description:
        '`leet` changes letters, `tail` appends a suffix. `auto`: `leet` from 20 lower-case letters on, else `tail`.',
    }),
    exhaustion: z.enum(['tail', 'duplicate']).default('tail').meta({
      title: 'When no variant is left',
      description: 'Append a suffix (`tail`), or assign a variant twice (`duplicate`).',
    }),
  })
  .superRefine(({ base, mode }, context) => {
    const parsed = parseBase(base)
    if (mode !== 'leet' || !parsed || countCarriers(parsed) >= MIN_CARRIERS) return
    const message = `needs at least ${MIN_CARRIERS} lower-case letters in the content for leet`
    context.addIssue({ code: 'custom', path: ['base'], message })
  })

/** Attempts before counting whether any variant is left. */
const TRIES = 5
/** With the fewest variants allowed and half of them taken, this many rounds fail once in 10^30. */
const MAX_ROUNDS = 20

/** A flag per team, minted on first use and constant afterwards. */
export function dynamicFlags({ minted, chance }: { readonly minted: MintedFlags; readonly chance: Chance }) {
  return flagProvider({
    name: 'flags/dynamic',
    config: Config,

    open({ base, mode, exhaustion }) {
      const parsed = parseBase(base)
      return {
        async accepts({ challengeId, teamId, text }) {
          const owner = await minted.findOwner({ challengeId, teamId, base, flag: text })
          if (owner === null) return null
          // Still a solve; the audit shows whose flag it was.
          return { cheatedFrom: owner === teamId ? null : owner }
        },

        async valueFor(challengeId, teamId) {
          const wanted = { challengeId, teamId, base }
          const own = await minted.findOwn(wanted)
          if (own !== null || !parsed) return own
          const shape = shapeOf(parsed, mode)
          const order = { parsed, wanted, tools: { minted, chance } }
          return (
            (await mintUnique(order, shape)) ??
            (exhaustion === 'duplicate' ? await mintDuplicate(order, shape) : await mintUnique(order, 'tail'))
          )
        },
      }
    },
  })
}

interface Order {
  readonly parsed: Base
  readonly wanted: FlagOfBase
  readonly tools: { readonly minted: MintedFlags; readonly chance: Chance }
}

/** Null when no variant is left. */
async function mintUnique({ parsed, wanted, tools }: Order, shape: Shape): Promise<string | null> {
  const variants = shape === 'leet' ? 2 ** countCarriers(parsed) : Infinity
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const flag = mint(parsed, shape, tools.chance)
      if (await tools.minted.add({ ...wanted, flag, allowDuplicate: false })) return flag
      // A concurrent request of the team may have minted it first.
      const own = await tools.minted.findOwn(wanted)
      if (own !== null) return own
    }
    if ((await tools.minted.count(wanted.challengeId, wanted.base)) >= variants) return null
  }
  return null
}

async function mintDuplicate({ parsed, wanted, tools }: Order, shape: Shape): Promise<string | null> {
  const flag = mint(parsed, shape, tools.chance)
  const isAdded = await tools.minted.add({ ...wanted, flag, allowDuplicate: true })
  return isAdded ? flag : await tools.minted.findOwn(wanted)
}
