import { createAnnouncement } from '@pennant/contract/announcements.ts'
import type { Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { createPage } from '@pennant/contract/pages.ts'
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

const pages = [
  {
    slug: 'rules',
    place: 'menu',
    texts: [
      {
        language: 'en',
        title: 'Rules',
        content:
          '## Teams\n\nA team has any number of members. Each person plays in one team.\n\n' +
          '## What is not allowed\n\n- Sharing flags or solutions before the end\n- Attacks on this site or on other teams\n' +
          '- Load that gets in the way of others\n\n' +
          '## Scoring\n\nThe more teams solve a challenge, the fewer points it gives, to everyone. Ties go to the team that was earlier.\n\n' +
          '## Decisions\n\nThe organisers decide. Ask with *Ask the organisers* before you try something unusual.',
      },
      {
        language: 'de',
        title: 'Regeln',
        content:
          '## Teams\n\nEin Team hat beliebig viele Mitglieder. Jede Person spielt in einem Team.\n\n' +
          '## Was nicht erlaubt ist\n\n- Flags oder Lösungen vor dem Ende weitergeben\n- Angriffe auf diese Seite oder auf andere Teams\n' +
          '- Last, die andere stört\n\n' +
          '## Wertung\n\nJe mehr Teams eine Aufgabe lösen, desto weniger Punkte gibt sie, für alle. Bei Gleichstand zählt das frühere Team.\n\n' +
          '## Entscheidungen\n\nDie Organisatoren entscheiden. Fragt sie, bevor ihr etwas Ungewöhnliches versucht.',
      },
    ],
  },
  {
    slug: 'faq',
    place: 'footer',
    texts: [
      {
        language: 'en',
        title: 'FAQ',
        content:
          '## What does a flag look like?\n\n`flag{…}`, unless the challenge says otherwise.\n\n' +
          '## How many members may a team have?\n\nAs many as you like.\n\n' +
          '## Where do I get help?\n\nWrite to the organisers from the page of the challenge.',
      },
    ],
  },
] as const

/** Writes pages, announcements, a question that is answered, and one that waits. */
export async function fillTexts({ call, organiser, player, startTime }: TextOptions): Promise<void> {
  for (const { slug, place, texts } of pages) {
    const data = { slug, place, published: true, texts: [...texts] }
    good(await call(createPage, { token: organiser, body: { data } }))
  }
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
