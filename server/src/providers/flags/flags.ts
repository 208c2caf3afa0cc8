import type { z } from 'zod'

/** A flag of a challenge as it is stored. */
export interface FlagEntry {
  readonly provider: string
  readonly config: Readonly<Record<string, unknown>>
}

/** What a team sent, for one challenge. Compared as it is: no trimming, no folding. */
export interface Attempt {
  readonly challengeId: string
  readonly teamId: string
  readonly text: string
}

/** A flag of one entry, ready to compare. */
export interface OpenFlag {
  /** Null when it does not accept. */
  accepts(attempt: Attempt): Accepted | null | Promise<Accepted | null>
  /** The concrete flag of a team, for its instances and bot jobs; null when the entry has none. */
  valueFor(challengeId: string, teamId: string): string | null | Promise<string | null>
}

export interface Accepted {
  /** The team that the flag was minted for, when it is another than the one that sent it. */
  readonly cheatedFrom: string | null
}

/** A kind of flags. All are built in and always on. */
export interface FlagProvider<Config extends z.ZodType = z.ZodType> {
  readonly name: string
  /** Strict: an unknown key is an error. */
  readonly config: Config
  /** What the schema cannot say of a configuration, or null. */
  problemOf?(config: z.output<Config>): Promise<string | null>
  open(config: z.output<Config>): OpenFlag
}

/** Declares a kind of flags; keeps the type of its configuration between the schema and the functions. */
export function flagProvider<Config extends z.ZodType>(provider: FlagProvider<Config>): FlagProvider<Config> {
  return provider
}

export interface FlagMatch extends Accepted, FlagEntry {
  /** Place of the entry in the challenge's list. */
  readonly index: number
}

/** All kinds of flags together. */
export interface Flags {
  /** What each kind is called and takes, as JSON Schema. */
  describe(): { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }[]
  /** The entry as it is to be stored, or what is wrong with it. */
  check(entry: FlagEntry): Promise<{ readonly entry: FlagEntry } | { readonly problem: string }>
  /** The first entry that accepts. All are asked, so that the time does not tell which. */
  findMatch(entries: readonly FlagEntry[], attempt: Attempt): Promise<FlagMatch | null>
  /** The concrete flags of a team, in the order of the entries. Mints what is not minted yet. */
  flagsForTeam(
    challenge: { readonly id: string; readonly flags: readonly FlagEntry[] },
    teamId: string,
  ): Promise<{ readonly provider: string; readonly flag: string }[]>
}
