import { isDeepStrictEqual } from 'node:util'
import type { Permission } from '@pennant/contract/permissions.ts'
import type { ActionBy } from '../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../db/database.ts'
import { isPartial, type Fields } from '../../lib/logged-fields.ts'
import { readAnnouncements, readChallenges } from '../../world/rows.ts'
import { readCounting, takeBack } from '../adjustments/store.ts'
import { deleteAnnouncement, textsOf } from '../announcements/store.ts'
import { writeChallenge } from '../challenges/admin-store.ts'
import type { ChallengePatch } from '../challenges/challenge-patch.ts'
import { loggedFields } from '../challenges/logged.ts'
import { lockOverrides, writeOverrides, type SettingsEdit } from '../settings/store.ts'
import type { ActionRow } from './store.ts'

export interface UndoBy extends ActionBy {
  readonly undoes: number
  /** Unix milliseconds. */
  readonly now: number
}

/** What can be taken back without side effects that stay. */
export interface Undo {
  /** The permissions of the action itself. */
  readonly perms: readonly Permission[]
  /** The current values of the fields of `after`; null if their object is gone. Locks them. */
  readonly current: (tx: ChangeTransaction) => Promise<Fields | null>
  /** Writes `before`, with an entry of its own. Returns the fields that prevent it, and then writes nothing. */
  readonly apply: (tx: ChangeTransaction, by: UndoBy) => Promise<string[]>
  readonly after: Fields
}

/** Visibility and order. Other fields of a challenge change points, flags or files, which players have seen. */
const UNDOABLE_FIELDS = new Set(['hidden', 'releaseAt', 'sortWeight'])

/** Null if the action cannot be undone. */
export function undoOf(row: ActionRow): Undo | null {
  const before = parsed(row.before)
  const after = parsed(row.after)
  if (!after || isPartial(after) || (before && isPartial(before)) || Object.keys(after).length === 0)
    return null
  if (row.action === 'announcement.create' && row.target !== null) return withdrawal(row.target, after)
  if (row.action === 'adjustment.create') return adjustmentUndo(row.target ?? '', after)
  if (!before) return null
  // Everyone has seen results that were published.
  if (row.action === 'settings.update')
    return 'resultsPublished' in after ? null : settingsUndo(before, after)
  if (row.action !== 'challenge.update' || row.target === null) return null
  return Object.keys(after).every((name) => UNDOABLE_FIELDS.has(name))
    ? challengeUndo(row.target, before, after)
    : null
}

/** The fields whose current value differs from the one after the action. */
export function changedSince(current: Fields, after: Fields): string[] {
  return Object.keys(after).filter((name) => !isDeepStrictEqual(current[name] ?? null, after[name] ?? null))
}

export function parsed(text: string | null): Fields | null {
  return text === null ? null : (JSON.parse(text) as Fields)
}

function challengeUndo(id: string, before: Fields, after: Fields): Undo {
  // Checked against the fields above.
  const patch: ChallengePatch = before
  return {
    perms: ['challsWrite'],
    after,
    async current(tx) {
      const [row] = await readChallenges(tx, [id])
      return row ? loggedFields(row) : null
    },
    async apply(tx, { now: _now, ...by }) {
      const editor = { ...by, keys: Object.keys(before) }
      const written = await writeChallenge(tx, { id, patch, instancerConfig: undefined, editor })
      // The challenge belongs to a wave now, which has its release time.
      return written === 'written' ? [] : ['releaseAt']
    },
  }
}

function settingsUndo(before: Fields, after: Fields): Undo {
  return {
    perms: ['settingsWrite'],
    after,
    current: async (tx) => ({ ...(await lockOverrides(tx)).data }),
    async apply(tx, { now: _now, ...by }) {
      // Null goes back to the deployment's own value.
      const patch: SettingsEdit['patch'] = before
      await writeOverrides(tx, { ...by, patch })
      return []
    },
  }
}

function adjustmentUndo(target: string, after: Fields): Undo {
  const [id = ''] = target.split(' ')
  return {
    perms: ['challsSolveWrite'],
    after,
    async current(tx) {
      const row = await readCounting(tx, id)
      return row && { ...row }
    },
    async apply(tx, by) {
      await takeBack(tx, id, by)
      return []
    },
  }
}

/** Takes back an announcement that nobody has edited since. */
function withdrawal(id: string, after: Fields): Undo {
  const read = async (tx: ChangeTransaction) => (await readAnnouncements(tx, [id]))[0]
  return {
    perms: ['settingsWrite'],
    after,
    async current(tx) {
      const row = await read(tx)
      return row ? { ...textsOf(row) } : null
    },
    async apply(tx, by) {
      const row = await read(tx)
      if (row) await deleteAnnouncement(tx, row, by)
      return []
    },
  }
}
