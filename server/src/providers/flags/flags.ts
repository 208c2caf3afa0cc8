import { flagProblem } from '@pennant/contract/flag-text.ts'
import { z } from 'zod'

/** A flag as players submit it. */
export const FlagText = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const problem = flagProblem(text)
    if (problem !== null) context.addIssue(problem)
  })

/** A flag of a challenge as stored. */
export interface FlagEntry {
  readonly provider: string
  readonly config: Readonly<Record<string, unknown>>
}

/** A team's submission for one challenge. Compared verbatim: no trimming, no case folding. */
export interface Attempt {
  readonly challengeId: string
  readonly teamId: string
  readonly text: string
}

/** A flag entry, ready for comparison. */
export interface OpenFlag {
  /** Null when it does not match. */
  accepts(attempt: Attempt): Accepted | null | Promise<Accepted | null>
  /** The flag of a team, for its instances and bot jobs; null when the entry has none. */
  valueFor(challengeId: string, teamId: string): string | null | Promise<string | null>
}

export interface Accepted {
  /** The team that the flag was minted for, if it is not the submitting team. */
  readonly cheatedFrom: string | null
}

/** A kind of flag. All are built in and always enabled. */
export interface FlagProvider<Config extends z.ZodType = z.ZodType> {
  readonly name: string
  /** Strict: an unknown key is an error. */
  readonly config: Config
  /** Checks beyond the schema; returns the problem or null. */
  problemOf?(config: z.output<Config>): Promise<string | null>
  open(config: z.output<Config>): OpenFlag
}

/** Declares a kind of flag; keeps the type of its configuration between the schema and the functions. */
export function flagProvider<Config extends z.ZodType>(provider: FlagProvider<Config>): FlagProvider<Config> {
  return provider
}

export interface FlagMatch extends Accepted, FlagEntry {
  /** Index of the entry in the challenge's list. */
  readonly index: number
}

/** All kinds of flags. */
export interface Flags {
  /** Name and configuration of each kind, as JSON Schema. */
  describe(): { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }[]
  /** The entry to store, or the problem with it. */
  check(entry: FlagEntry): Promise<{ readonly entry: FlagEntry } | { readonly problem: string }>
  /** The first entry that matches. Checks all of them, so that timing does not reveal which. */
  findMatch(entries: readonly FlagEntry[], attempt: Attempt): Promise<FlagMatch | null>
  /** The flags of a team, in the order of the entries. Mints missing ones. */
  flagsForTeam(
    challenge: { readonly id: string; readonly flags: readonly FlagEntry[] },
    teamId: string,
  ): Promise<{ readonly provider: string; readonly flag: string }[]>
}
