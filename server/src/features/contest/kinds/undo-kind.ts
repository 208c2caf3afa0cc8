import type { Permission } from '@pennant/contract/permissions.ts'
import type { ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import type { Fields } from '../../../lib/logged-fields.ts'

export interface UndoBy extends ActionBy {
  readonly undoes: number
  /** Unix milliseconds. */
  readonly now: number
  readonly startTime: number
}

/** An action that can be undone without lasting side effects. */
export interface Undo {
  /** The permissions of the action itself. */
  readonly perms: readonly Permission[]
  /** The current values of the fields of the entry; null if their object is gone. Locks them. */
  current(tx: ChangeTransaction): Promise<Fields | null>
  /**
   * Writes `before`, with its own entry in the action log. Returns the fields that prevent it, and then writes nothing. Throws an
   * `UndoRefusedError` if it finds them only while it writes.
   */
  apply(tx: ChangeTransaction, by: UndoBy): Promise<readonly string[]>
}

/** Rolls back what was written. */
export class UndoRefusedError extends Error {
  override readonly name = 'UndoRefusedError'
  readonly fields: readonly string[]

  constructor(fields: readonly string[]) {
    super('an undo was refused')
    this.fields = fields
  }
}

/** An entry of the action log that has all fields. */
export interface LoggedChange {
  /** The first target. */
  readonly id: string
  /** Null if the object was created. */
  readonly before: Fields | null
  readonly after: Fields
}

/** How to undo an action; null if it cannot be undone. */
export type UndoRule = (change: LoggedChange) => Undo | null

/** An action that changed an object; one without values from before cannot be undone. */
export function undoOfChange(
  undo: (change: LoggedChange & { readonly before: Fields }) => Undo | null,
): UndoRule {
  return ({ before, ...change }) => before && undo({ ...change, before })
}
