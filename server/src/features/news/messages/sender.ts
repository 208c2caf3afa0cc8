import { z } from 'zod'
import type { Queries } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import type { Messages } from '../../../providers/messages/messages.ts'
import type { WorldView } from '../../../world/model.ts'
import { findThread } from './store.ts'

export interface QuestionSenderOptions {
  readonly db: Queries
  /** By id, as in the outbox rows. */
  readonly destinations: ReadonlyMap<string, Messages>
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** Returns a world that includes everything committed before the call. */
  readonly currentWorld: () => Promise<WorldView>
  readonly log: Log
}

const Payload = z.object({ destination: z.string(), thread: z.string() })

/**
 * Sends the outbox rows of kind `question`: that a team has asked, with the subject. What the team wrote stays in this contest.
 */
export function createQuestionSender(options: QuestionSenderOptions) {
  const { db, destinations, origin, currentWorld, log } = options
  return async (payload: unknown, signal: AbortSignal): Promise<void> => {
    const { destination, thread: id } = Payload.parse(payload)
    const messages = destinations.get(destination)
    if (!messages) throw new Error('the destination is no longer configured')
    const row = await findThread(db, id)
    const world = await currentWorld()
    const team = row && world.team(row.teamId)
    if (!row || !team) {
      log.info({ thread: id }, 'dropped a message: the question was deleted')
      return
    }
    const { subject, challengeId, createdAt: time } = row
    const challenge = challengeId === null ? null : (world.challenge(challengeId)?.name ?? null)
    const url = `${origin}/admin/messages/${id}`
    const { markup } = messages
    const about = challenge === null ? '' : ` (${markup.text(challenge)})`
    const text = `${markup.text(team.name)}${about}: [${markup.text(subject)}](${markup.url(url)})`
    const question = { id, team: { id: team.id, name: team.name }, subject, challenge, time, url }
    await messages.send({ question, text }, signal)
  }
}
