import * as contract from '@pennant/contract/messages.ts'
import { badChallenge } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { actingOf, on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { PersonName } from '../../../lib/acting-person.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Visibility } from '../../contest/visibility/visibility.ts'
import type { KeptMessages } from './kept.ts'
import { mayAskAbout, stateFor, type State } from './rules.ts'
import {
  addTeamMessage,
  findThread,
  insertThread,
  markRead,
  readMessages,
  readThreadsOfTeam,
} from './store.ts'
import { messageView, threadView } from './views.ts'

export interface MessageDeps {
  readonly db: Database
  readonly kept: KeptMessages
  readonly world: () => WorldView
  readonly visibility: Pick<Visibility, 'seenBy'>
  readonly now: () => number
  /** Ids of the messengers that are notified of new threads. */
  readonly destinations: readonly string[]
  readonly personName: PersonName
}

/** Endpoints for teams. Another team's thread does not exist. */
export function messageRoutes(deps: MessageDeps): Endpoint[] {
  return [...readRoutes(deps), ...writeRoutes(deps)]
}

async function stateOf(team: Actor, { kept, world, now }: MessageDeps): Promise<State> {
  return stateFor(team, await kept.options(), { world: world(), now: now() })
}

async function ownThread({ db }: MessageDeps, id: string, team: Actor) {
  const row = await findThread(db, id)
  return row?.teamId === team.id ? row : null
}

function readRoutes(deps: MessageDeps): Endpoint[] {
  const { db, kept, personName } = deps
  return [
    on(contract.listMessageThreads, async ({ team }) => {
      const rows = await kept.threadsOf(team.id)
      const unread = rows.reduce((sum, row) => sum + row.unread, 0)
      return contract.goodMessageThreads({
        threads: rows.map(threadView),
        unread,
        state: await stateOf(team, deps),
      })
    }),

    on(contract.readMessageThread, async ({ params: { id }, team }) => {
      const row = await ownThread(deps, id, team)
      if (!row) return contract.badMessageThread()
      return contract.goodMessageThread({
        thread: threadView(row),
        messages: (await readMessages(db, id)).map((message) => messageView(message, personName)),
        state: await stateOf(team, deps),
      })
    }),

    on(contract.markMessagesRead, async ({ params: { id }, body: { number }, team }) => {
      const row = await ownThread(deps, id, team)
      if (!row) return contract.badMessageThread()
      if (row.unread > 0) await markRead(db, id, number)
      const rows = await readThreadsOfTeam(db, team.id)
      return contract.goodMessageRead({ unread: rows.reduce((sum, each) => sum + each.unread, 0) })
    }),
  ]
}

function writeRoutes(deps: MessageDeps): Endpoint[] {
  const { db, visibility, now, destinations } = deps
  return [
    on(contract.startMessageThread, async ({ body, team }) => {
      const state = await stateOf(team, deps)
      if (state !== 'open') return contract.badMessagesClosed({ state })
      const { subject, content, challengeId = null } = body
      // A challenge that is closed to the team is as unknown as one that does not exist.
      const snapshot = { world: visibility.seenBy(team).world, now: now() }
      if (challengeId !== null && !mayAskAbout(challengeId, team, snapshot)) return badChallenge()
      const question = {
        teamId: team.id,
        subject,
        content,
        challengeId,
        by: actingOf(team),
        now: snapshot.now,
      }
      const made = await insertThread(db, question, destinations)
      if ('max' in made) return contract.badMessageCount(made)
      return contract.goodMessageSend({ thread: threadView(made.thread) })
    }),

    on(contract.writeMessage, async ({ params: { id }, body: { content }, team }) => {
      const state = await stateOf(team, deps)
      if (state !== 'open') return contract.badMessagesClosed({ state })
      const message = { content, by: actingOf(team), now: now() }
      const added = await addTeamMessage(db, { id, teamId: team.id }, message)
      if (!added) return contract.badMessageThread()
      if (added === 'closed') return contract.badMessageThreadClosed()
      if (added === 'full') return contract.badMessageCount({ max: contract.messageLimits.messages })
      return contract.goodMessageSend({ thread: threadView(added.thread) })
    }),
  ]
}
