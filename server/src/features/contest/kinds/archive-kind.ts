import type { ArchiveField } from '@pennant/contract/challenge-archive.ts'
import type { Client } from '@pennant/contract/client.ts'
import type { ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import type { ChallengeRow, WorldView } from '../../../world/model.ts'
import type { ChallengePatch } from '../challenges/challenge-patch.ts'
import type { ReadableChallenge } from '../challenges/readable.ts'

/** The value of a field for each stored challenge, in the form that an archive has. */
export type ValueOf<Value> = (row: ReadableChallenge) => Value

/** A challenge of an archive, as far as it concerns one field. */
export interface PlannedField<Value> {
  readonly id: string
  /** What the archive has; undefined if it says nothing about the field. */
  readonly value: Value | undefined
  readonly stored: ChallengeRow | null
  /** All fields that differ. */
  readonly fields: readonly ArchiveField[]
}

/** What is wrong, with the id of the challenge; null if it is about all of them. */
export interface FieldProblem {
  readonly id: string | null
  readonly reason: string
}

/** The state that an import compares an archive with, and later writes to. */
export interface OpenField<Value> {
  readonly valueOf: ValueOf<Value>
  /** What is stored beside the row of a challenge, so that a plan notices when it changes. */
  versionOf?(id: string): unknown
  check(planned: readonly PlannedField<Value>[]): Promise<FieldProblem[]> | FieldProblem[]
  /** Columns of the challenge that follow from the value. After `check`. */
  patchOf?(id: string): ChallengePatch
  /** Writes rows beside the challenge. False if they have changed since the plan. */
  write?(
    tx: ChangeTransaction,
    id: string,
    change: { readonly value: Value; readonly by: ActionBy },
  ): Promise<boolean>
}

/** A field of `challenge.yaml` that stands for rows of a kind: docs/author/challenge-archives.md */
export interface ArchiveKind<Value> {
  readonly field: ArchiveField
  /** For an export. */
  stored(world: WorldView): ValueOf<Value>
  /** The same of another site, over HTTP. Throws what `refused` makes of a response without the data. */
  fetch(site: RemoteSite, ids: readonly string[]): Promise<ValueOf<Value>>
  open(db: Queries, ids: readonly string[]): Promise<OpenField<Value>>
  /** Another field that follows from the value, and why it must be left out. */
  decides?(value: Value): { readonly field: ArchiveField; readonly reason: string } | null
}

export interface RemoteSite {
  readonly call: Client
  readonly refused: (response: { readonly kind: string; readonly message: string }, prefix?: string) => Error
  /** Limits the number of requests at a time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export type AnyArchiveKind = ArchiveKind<unknown>
