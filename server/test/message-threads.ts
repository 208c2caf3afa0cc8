import * as contract from '@pennant/contract/messages.ts'
import type { Contest, Member } from './harness.ts'

export interface Question {
  readonly subject?: string
  readonly content?: string
  readonly challengeId?: string
}

/** Starts a thread and returns it. */
export async function ask(contest: Contest, { token }: Member, question: Question = {}) {
  const body = { subject: 'Is it down?', content: 'I cannot reach it.', ...question }
  const sent = await contest.call(contract.startMessageThread, { token, body })
  if (sent.kind !== 'goodMessageSend') throw new Error(sent.kind)
  // The rate limit has its own test.
  contest.clock.advance(60_000)
  return sent.data.thread
}

/** The thread as those who answer see it. */
export async function adminThread(contest: Contest, { token }: Member, id: string) {
  const read = await contest.call(contract.readAdminMessageThread, { token, params: { id } })
  if (read.kind !== 'goodAdminMessageThread') throw new Error(read.kind)
  return read.data
}

/** Answers at the current version, and returns the reply. */
export async function answer(
  contest: Contest,
  organiser: Member,
  { id, content = 'It is up again.' }: { readonly id: string; readonly content?: string },
) {
  const { version } = (await adminThread(contest, organiser, id)).thread
  const body = { data: { content, version } }
  return contest.call(contract.answerMessageThread, { token: organiser.token, params: { id }, body })
}
