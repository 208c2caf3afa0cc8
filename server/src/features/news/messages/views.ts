import type {
  AdminMessage,
  AdminMessageThread,
  MessageThread,
  TeamMessage,
} from '@pennant/contract/messages.ts'
import type { z } from 'zod'
import { acting, type PersonName } from '../../../lib/acting-person.ts'
import type { WorldView } from '../../../world/model.ts'
import type { MessageRow, ThreadRow } from './store.ts'

function sharedFields(row: ThreadRow) {
  const { id, subject, challengeId, closed, answered, createdAt, lastMessageAt } = row
  return { id, subject, challengeId, closed, answered, createdAt, lastMessageAt }
}

export function threadView(row: ThreadRow): z.input<typeof MessageThread> {
  return { ...sharedFields(row), unread: row.unread }
}

/** Who of the organisers wrote a message is not shown to the team. */
export function messageView(row: MessageRow, personName: PersonName): z.input<typeof TeamMessage> {
  const { number, fromTeam, content, createdAt } = row
  return { number, fromTeam, ...(fromTeam && acting(row, personName)), content, createdAt }
}

export function adminThreadView(row: ThreadRow, world: WorldView): z.input<typeof AdminMessageThread> {
  return {
    ...sharedFields(row),
    challengeName: row.challengeId === null ? null : (world.challenge(row.challengeId)?.name ?? null),
    team: named(row.teamId, world),
    assignee: row.assigneeId === null ? null : named(row.assigneeId, world),
    version: row.version,
  }
}

export function adminMessageView(
  row: MessageRow,
  { world, personName }: { readonly world: WorldView; readonly personName: PersonName },
): z.input<typeof AdminMessage> {
  const author = row.authorId === null ? null : named(row.authorId, world)
  return { ...messageView(row, personName), author, ...acting(row, personName) }
}

/** The id replaces the name of a team that was deleted just before. */
export function named(id: string, world: WorldView): { id: string; name: string } {
  return { id, name: world.team(id)?.name ?? id }
}
