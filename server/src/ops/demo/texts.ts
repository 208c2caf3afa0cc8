import { createAnnouncement } from '@pennant/contract/announcements.ts'
import type { Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import {
  answerMessageThread,
  readAdminMessageThread,
  startMessageThread,
  updateMessageOptions,
} from '@pennant/contract/messages.ts'

export interface TextOptions {
  readonly call: Client
  /** Auth tokens. */
  readonly organiser: string
  readonly player: string
  readonly startTime: number
}

const announcements = [
  {
    title: 'Welcome aboard',
    content: 'Flags look like `flag{…}`. Ask us with *Ask the organisers* if something does not work.',
    severity: 'info',
    pinned: true,
    afterHours: 0,
  },
  {
    title: 'The second wave is open',
    content: 'Five more challenges. **Sleep is allowed.**',
    severity: 'info',
    pinned: false,
    afterHours: 6,
  },
  {
    title: 'Short network outage',
    content: 'Instances could not be reached for four minutes. Everything works again; nothing was lost.',
    severity: 'warning',
    pinned: false,
    afterHours: 25,
  },
] as const

/** Writes announcements, a question that is answered, and one that waits. */
export async function fillTexts({ call, organiser, player, startTime }: TextOptions): Promise<void> {
  for (const { afterHours, ...texts } of announcements) {
    const data = { ...texts, publishAt: startTime + afterHours * HOUR_MS }
    good(await call(createAnnouncement, { token: organiser, body: { data } }))
  }
  const answers = [
    { title: 'Flag format', content: 'Flags look like `flag{…}`, unless the challenge says otherwise.' },
    { title: 'No hints', content: 'We give the same hints to everyone, as announcements.' },
  ]
  good(await call(updateMessageOptions, { token: organiser, body: { data: { version: 1, answers } } }))
  const id = await ask({ call, player }, 'Is scanning allowed?', 'May we run `nmap` against the instances?')
  const read = await call(readAdminMessageThread, { token: organiser, params: { id } })
  if (read.kind !== 'goodAdminMessageThread') throw new Error(read.kind)
  const content = 'Against **your own** instance, yes. Please leave those of other teams alone.'
  const { version } = read.data.thread
  const body = { data: { content, version } }
  good(await call(answerMessageThread, { token: organiser, params: { id }, body }))
  await ask({ call, player }, 'A member lost the token', 'Can she sign in with her own address?')
}

async function ask(
  { call, player }: Pick<TextOptions, 'call' | 'player'>,
  subject: string,
  content: string,
): Promise<string> {
  const sent = await call(startMessageThread, { token: player, body: { subject, content } })
  if (sent.kind !== 'goodMessageSend') throw new Error(sent.kind)
  return sent.data.thread.id
}

function good({ kind }: { readonly kind: string }): void {
  if (!kind.startsWith('good')) throw new Error(`an example text was refused: ${kind}`)
}
