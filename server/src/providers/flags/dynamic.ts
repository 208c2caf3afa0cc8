import { z } from 'zod'
import { flagProvider } from './flags.ts'
import {
  countCarriers,
  leastCarriers,
  mint,
  parseBase,
  shapeOf,
  type Base,
  type Chance,
  type Shape,
} from './minting.ts'

/** Where minted flags are kept. */
export interface MintedFlags {
  /** The team that a flag was minted for: the asking one when it has it, else the earliest. */
  findOwner(flag: FlagOfBase & { readonly flag: string }): Promise<string | null>
  findOwn(flag: FlagOfBase): Promise<string | null>
  /** False when the team has one already, or another team has this one and duplicates are not allowed. */
  add(flag: FlagOfBase & { readonly flag: string; readonly allowDuplicate: boolean }): Promise<boolean>
  /** How many different flags were minted for the base. */
  count(challengeId: string, base: string): Promise<number>
}

export interface FlagOfBase {
  readonly challengeId: string
  readonly teamId: string
  readonly base: string
}

/** Leaves room for the tail below the longest flag that can be submitted. */
const LONGEST_BASE = 1000

const Config = z
  .strictObject({
    base: z
      .string()
      .max(LONGEST_BASE)
      .refine((base) => parseBase(base) !== null, { error: 'must be prefix{content} in printable ASCII' })
      .describe('`prefix{content}`: what the flags of the teams are made from.'),
    mode: z.enum(['auto', 'leet', 'tail']).default('auto'),
    exhaustion: z
      .enum(['tail', 'duplicate'])
      .default('tail')
      .describe('What to do when no variant is left: put a tail behind, or give one twice.'),
  })
  .superRefine(({ base, mode }, context) => {
    const parsed = parseBase(base)
    if (mode !== 'leet' || !parsed || countCarriers(parsed) >= leastCarriers) return
    const message = `needs at least ${leastCarriers} lower-case letters in the content for leet`
    context.addIssue({ code: 'custom', path: ['base'], message })
  })

/** Tries before it is asked whether variants are left at all. */
const TRIES = 5
/** With the fewest variants allowed, half of them taken, this many rounds fail once in 10^30. */
const MAX_ROUNDS = 20

/** A flag for each team, made when it is first needed and the same from then on. */
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
          // Still a solve: the audit tells whose flag it was.
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
      // Another request of the team may have been quicker.
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
