import type { Readable } from 'node:stream'
import type { FlagEntry, ScoringKind, SettingsOverrides } from '../../world/model.ts'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import type { InsertedRow } from './insert.ts'

// A contest of another platform as rows of Pennant. Times are Unix microseconds: sources have them, and rounding them would
// create ties and change first bloods.

type Json = Readonly<Record<string, unknown>>

export interface ImportedTeam {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly extrankId: string | null
  readonly division: string
  readonly perms: number
  readonly banned: boolean
  /** A marker of `links.ts`, or a URL. */
  readonly avatarUrl: string | null
  readonly countryCode: string | null
  readonly statusText: string | null
  readonly createdAt: number
}

export interface ImportedMember {
  readonly id: string
  readonly teamId: string
  readonly email: string
}

export interface ImportedPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly teamId: string | null
  readonly isCaptain: boolean
  readonly joinedAt: number | null
  readonly createdAt: number
}

export interface ImportedChallenge {
  readonly id: string
  readonly name: string
  /** May contain markers of `links.ts`, like the URLs of `files`. */
  readonly description: string
  readonly category: string
  readonly author: string
  readonly flags: readonly FlagEntry[]
  readonly files: readonly { readonly name: string; readonly url: string; readonly size: number | null }[]
  readonly points: { readonly min: number; readonly max: number }
  readonly tiebreakEligible: boolean
  readonly sortWeight: number | null
  readonly hidden: boolean
  readonly releaseAt: number | null
  readonly scoringKind: ScoringKind
  readonly scoringSecret: string | null
  readonly instancerConfig: Json | null
  readonly adminBotConfig: Json | null
  readonly tags: readonly string[] | null
  /** Ids of challenges that a team must have solved. */
  readonly prerequisites: readonly string[]
  /** Whether teams that have not solved them see its name. */
  readonly lockedShown: boolean
}

export interface ImportedSolve {
  /** A UUID. Solves of the same millisecond are ordered by it. */
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly at: number
  readonly ip: string
}

export interface ImportedFeedScore {
  readonly challengeId: string
  readonly teamId: string
  readonly points: number
  readonly scoredAt: number
  readonly delta: number
  readonly tickAt: number
}

export interface ImportedFeedEvent {
  readonly challengeId: string
  readonly teamId: string
  readonly delta: number
  readonly at: number
}

export type SubmissionResult =
  | 'correct'
  | 'incorrect'
  | 'already_solved'
  | 'queued'
  | 'active_job'
  | 'invalid_input'
  | 'bad_instancer_state'

export interface ImportedSubmission {
  readonly id: string
  readonly kind: 'flag' | 'admin_bot'
  readonly challengeId: string
  readonly teamId: string
  /** Who of the team it was, if the source knows. */
  readonly personId?: string | undefined
  readonly ip: string
  readonly result: SubmissionResult
  readonly details: Json
  /** The id of the solve or of the job. */
  readonly relatedId: string | null
  readonly at: number
}

export interface ImportedDynamicFlag {
  readonly challengeId: string
  readonly teamId: string
  readonly base: string
  readonly flag: string
  readonly allowDuplicate: boolean
  readonly at: number
}

export interface ImportedBotJob {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly status: 'completed' | 'failed'
  readonly configRevision: string
  readonly flags: readonly unknown[]
  readonly inputs: Json
  readonly instances: readonly unknown[]
  readonly timeoutMs: number
  readonly log: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ImportedPending {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly division: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface ImportedClient {
  readonly id: string
  readonly name: string
  readonly redirectUri: string
  readonly createdAt: number
  readonly createdBy: string | null
}

/** What reports call the Markdown in the column `content` of a row, which may contain markers of `links.ts`. */
interface TextPlace {
  /** Such as the challenge that it belongs to. */
  readonly where: string
  /** Of a challenge: checked with the addresses of stored files. */
  readonly limit?: { readonly part: string; readonly max: number }
}

export interface ImportedRow {
  readonly columns: InsertedRow
  readonly content?: TextPlace
}

/** Rows that an import treats alike, whatever they are. */
export interface ImportedTable {
  /** In the counts. */
  readonly name: string
  readonly table: string
  readonly rows: readonly ImportedRow[]
}

/** A file that the contest refers to, by a marker in its texts. */
export interface ImportedFile {
  /** The link in the source, which stays if the file cannot be read. */
  readonly link: string
  /** For messages. */
  readonly name: string
  readonly key: { readonly kind: 'file' } | { readonly kind: 'avatar'; readonly teamId: string }
  /** The digest that the source states; null if it states none. */
  readonly sha256: string | null
  /** Null if the source has no content for the link. */
  readonly open: (() => Promise<Readable>) | null
}

/** One line of the standings of the source, best first. */
export interface ExpectedRank {
  readonly teamId: string
  readonly score: number
}

export interface ExpectedStandings {
  readonly ranks: readonly ExpectedRank[]
  /** The order among teams with equal scores that the source's own rule gives. */
  readonly rule: string
}

export interface EventTimes {
  readonly startTime: number
  readonly endTime: number
}

export interface ImportedContest {
  /** For people: `rCTF v2`, `CTFd 3.8.1`. */
  readonly source: string
  readonly teams: readonly ImportedTeam[]
  readonly members: readonly ImportedMember[]
  readonly challenges: readonly ImportedChallenge[]
  readonly solves: readonly ImportedSolve[]
  readonly feedScores: readonly ImportedFeedScore[]
  readonly feedEvents: readonly ImportedFeedEvent[]
  readonly dynamicFlags: readonly ImportedDynamicFlag[]
  readonly botJobs: readonly ImportedBotJob[]
  readonly pending: readonly ImportedPending[]
  readonly clients: readonly ImportedClient[]
  /** Every other table; one may be there in several parts. */
  readonly tables: readonly ImportedTable[]
  readonly settings: SettingsOverrides
  readonly files: readonly ImportedFile[]
  /** Too many to be in memory: read once for the plan and once for the import. */
  readonly submissions: () => AsyncIterable<ImportedSubmission>
  /** Computed from the source by its own rules; the formula and the times replace what the source does not know. */
  readonly expected: (score: ScoreFormula, times: EventTimes) => ExpectedStandings
  /** YAML of configuration that the import cannot write into the database; empty if there is none. */
  readonly configuration: string
}
