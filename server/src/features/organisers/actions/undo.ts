import { isDeepStrictEqual } from 'node:util'
import { isPartial, type Fields } from '../../../lib/logged-fields.ts'
import { readChallenges } from '../../../world/rows.ts'
import { writeChallenge } from '../../contest/challenges/admin-store.ts'
import type { ChallengePatch } from '../../contest/challenges/challenge-patch.ts'
import { loggedFields } from '../../contest/challenges/logged.ts'
import type { Kind } from '../../contest/kinds/kind.ts'
import { undoOfChange, type Undo, type UndoRule } from '../../contest/kinds/undo-kind.ts'
import { lockTeam, patchTeam, type AdminPatch } from '../../people/teams/admin-store.ts'
import { FIELD_KEYS, lockOverrides, writeOverrides, type SettingsEdit } from '../../site/settings/store.ts'
import type { ActionRow } from './store.ts'

/** Visibility and order. Other fields of a challenge change points, flags or files, which players have seen. */
const UNDOABLE_FIELDS = new Set(['hidden', 'releaseAt', 'sortWeight'])
/** A name may be taken by another team since, and a division may be gone. */
const TEAM_FIELDS = new Set(['banned', 'countryCode', 'statusText', 'tokenOff'])

const hasOnly = (fields: Fields, names: ReadonlySet<string>) =>
  Object.keys(fields).every((name) => names.has(name))

/** An undo, and the fields after the action, which must still have these values. */
export interface FoundUndo extends Undo {
  readonly after: Fields
}

/** Null if the action cannot be undone. */
export function undoOf(row: ActionRow, kinds: readonly Kind[]): FoundUndo | null {
  const before = parsed(row.before)
  const after = parsed(row.after)
  if (!after || isPartial(after) || (before && isPartial(before)) || Object.keys(after).length === 0)
    return null
  const rules = [CORE_RULES, ...kinds.map(({ undo = {} }) => undo)]
  const rule = rules.find((each) => Object.hasOwn(each, row.action))?.[row.action]
  const [id = ''] = row.target?.split(' ') ?? []
  const undo = rule?.({ id, before, after })
  return undo ? { ...undo, after } : null
}

/** The fields whose current value differs from the one after the action. */
export function changedSince(current: Fields, after: Fields): string[] {
  return Object.keys(after).filter((name) => !isDeepStrictEqual(current[name] ?? null, after[name] ?? null))
}

export function parsed(text: string | null): Fields | null {
  return text === null ? null : (JSON.parse(text) as Fields)
}

const undoChallenge = undoOfChange(({ id, before, after }) => {
  if (!hasOnly(after, UNDOABLE_FIELDS)) return null
  // Checked against the fields above.
  const patch: ChallengePatch = before
  return {
    perms: ['challsWrite'],
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
})

const undoSettings = undoOfChange(({ before, after }) => {
  // Everyone has seen results that were published.
  if ('resultsPublished' in after || FIELD_KEYS.some((key) => key in after)) return null
  return {
    perms: ['settingsWrite'],
    current: async (tx) => ({ ...(await lockOverrides(tx)).data }),
    async apply(tx, { actorId, ip, undoes }) {
      const by = { actorId, ip, undoes }
      // Null goes back to the deployment's own value.
      const patch: SettingsEdit['patch'] = before
      await writeOverrides(tx, { ...by, patch })
      return []
    },
  }
})

/** A ban, or what the team shows of itself. */
const undoTeam = undoOfChange(({ id, before, after }) => {
  if (!hasOnly(after, TEAM_FIELDS)) return null
  return {
    perms: ['usersWrite'],
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
})

const CORE_RULES: Readonly<Record<string, UndoRule>> = {
  'challenge.update': undoChallenge,
  'settings.update': undoSettings,
  'team.update': undoTeam,
}
