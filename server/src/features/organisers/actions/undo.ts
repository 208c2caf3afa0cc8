import { isDeepStrictEqual } from 'node:util'
import type { Permission } from '@pennant/contract/permissions.ts'
import type { ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import { isPartial, type Fields } from '../../../lib/logged-fields.ts'
import { readChallenges } from '../../../world/rows.ts'
import { readCounting, takeBack } from '../../contest/adjustments/store.ts'
import {
  deleteAnnouncement,
  replaceTexts,
  textsOf,
  type AnnouncementTexts,
} from '../../news/announcements/store.ts'
import { writeChallenge } from '../../contest/challenges/admin-store.ts'
import type { ChallengePatch } from '../../contest/challenges/challenge-patch.ts'
import { loggedFields } from '../../contest/challenges/logged.ts'
import { lockOrder, readLogged, restoreHint, withdrawHint, writeOrder } from '../../contest/hints/store.ts'
import { lockOverrides, writeOverrides, type SettingsEdit } from '../../site/settings/store.ts'
import { lockTeam, patchTeam, type AdminPatch } from '../../people/teams/admin-store.ts'
import { loggedWave, restoreWave } from '../../news/waves/store.ts'
import type { ActionRow } from './store.ts'
import { readAnnouncements } from '../../news/announcements/rows.ts'

export interface UndoBy extends ActionBy {
  readonly undoes: number
  /** Unix milliseconds. */
  readonly now: number
  readonly startTime: number
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
/** A name may be taken by another team since, and a division may be gone. */
const TEAM_FIELDS = new Set(['banned', 'countryCode', 'statusText'])

const hasOnly = (fields: Fields, names: ReadonlySet<string>) =>
  Object.keys(fields).every((name) => names.has(name))

/** Null if the action cannot be undone. */
export function undoOf(row: ActionRow): Undo | null {
  const before = parsed(row.before)
  const after = parsed(row.after)
  if (!after || isPartial(after) || (before && isPartial(before)) || Object.keys(after).length === 0)
    return null
  if (row.action === 'announcement.create' && row.target !== null) return withdrawal(row.target, after)
  if (row.action === 'adjustment.create') return adjustmentUndo(row.target ?? '', after)
  if (row.action === 'hint.create') return hintUndo(row.target ?? '', null, after)
  if (!before) return null
  if (row.action === 'hint.update' || row.action === 'hint.release')
    return hintUndo(row.target ?? '', before, after)
  // Everyone has seen results that were published.
  if (row.action === 'settings.update')
    return 'resultsPublished' in after ? null : settingsUndo(before, after)
  if (row.target === null) return null
  const change = { id: row.target, before, after }
  switch (row.action) {
    case 'challenge.update':
      return hasOnly(after, UNDOABLE_FIELDS) ? challengeUndo(change) : null
    case 'hint.order':
      return hintOrderUndo(change)
    case 'wave.update':
      return waveUndo(change)
    case 'announcement.update':
      return announcementUndo(change)
    case 'team.update':
      return hasOnly(after, TEAM_FIELDS) ? teamUndo(change) : null
    default:
      return null
  }
}

interface Change {
  readonly id: string
  readonly before: Fields
  readonly after: Fields
}

/** The fields whose current value differs from the one after the action. */
export function changedSince(current: Fields, after: Fields): string[] {
  return Object.keys(after).filter((name) => !isDeepStrictEqual(current[name] ?? null, after[name] ?? null))
}

export function parsed(text: string | null): Fields | null {
  return text === null ? null : (JSON.parse(text) as Fields)
}

function challengeUndo({ id, before, after }: Change): Undo {
  // Checked against the fields above.
  const patch: ChallengePatch = before
  return {
    perms: ['challsWrite'],
    after,
    async current(tx) {
      const [row] = await readChallenges(tx, [id])
      return row ? loggedFields(row) : null
    },
    async apply(tx, { actorId, ip, undoes }) {
      const by = { actorId, ip, undoes }
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
    async apply(tx, { actorId, ip, undoes }) {
      const by = { actorId, ip, undoes }
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

/** `before`: null if the hint was created. What teams paid stays as it is. */
function hintUndo(target: string, before: Fields | null, after: Fields): Undo {
  const [id = ''] = target.split(' ')
  return {
    perms: ['challsRead', 'challsWrite'],
    after,
    current: (tx) => readLogged(tx, id),
    async apply(tx, { actorId, ip, undoes }) {
      const by = { actorId, ip, undoes }
      if (!before) return await withdrawHint(tx, id, by)
      await restoreHint(tx, { id, fields: before }, by)
      return []
    },
  }
}

/** The fields of the entry name the same hints, and so do those of now if nobody changed them. */
function hintOrderUndo({ id, before, after }: Change): Undo {
  return {
    perms: ['challsRead', 'challsWrite'],
    after,
    current: async (tx) => ({ order: await lockOrder(tx, id) }),
    async apply(tx, { actorId, ip, undoes }) {
      const orders = { before: after['order'] as string[], hintIds: before['order'] as string[] }
      await writeOrder(tx, id, { ...orders, by: { actorId, ip, undoes } })
      return []
    },
  }
}

/** Also a move. Refused where players would lose challenges that they see. */
function waveUndo({ id, before, after }: Change): Undo {
  return {
    perms: ['challsRead', 'challsWrite'],
    after,
    current: async (tx) => await loggedWave(tx, id),
    async apply(tx, by) {
      await restoreWave(tx, id, { values: before, writer: { ...by, force: false } })
      return []
    },
  }
}

async function readAnnouncement(tx: ChangeTransaction, id: string) {
  return (await readAnnouncements(tx, [id]))[0]
}

async function announcementTexts(tx: ChangeTransaction, id: string): Promise<Fields | null> {
  const row = await readAnnouncement(tx, id)
  return row ? { ...textsOf(row) } : null
}

/** The earlier text. Messages that were sent stay as they are. */
function announcementUndo({ id, before, after }: Change): Undo {
  return {
    perms: ['settingsWrite'],
    after,
    current: (tx) => announcementTexts(tx, id),
    async apply(tx, { actorId, ip, undoes, now }) {
      const old = await readAnnouncement(tx, id)
      if (!old) return []
      const next = { ...textsOf(old), ...(before as Partial<AnnouncementTexts>) }
      await replaceTexts(tx, { old, next, keys: Object.keys(before) }, { actorId, ip, undoes, now })
      return []
    },
  }
}

/** A ban, or what the team shows of itself. */
function teamUndo({ id, before, after }: Change): Undo {
  return {
    perms: ['usersWrite'],
    after,
    async current(tx) {
      const row = await lockTeam(tx, id)
      return row && { ...row }
    },
    async apply(tx, { actorId, ip, undoes }) {
      const row = await lockTeam(tx, id)
      if (row) await patchTeam(tx, { id, row, patch: before as AdminPatch }, { actorId, ip, undoes })
      return []
    },
  }
}

/** Takes back an announcement that nobody has edited since. */
function withdrawal(id: string, after: Fields): Undo {
  return {
    perms: ['settingsWrite'],
    after,
    current: (tx) => announcementTexts(tx, id),
    async apply(tx, by) {
      const row = await readAnnouncement(tx, id)
      if (row) await deleteAnnouncement(tx, row, by)
      return []
    },
  }
}
