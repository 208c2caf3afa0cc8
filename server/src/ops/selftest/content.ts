import { deleteChallenge, listAdminChallengesV2, putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { Client } from '@pennant/contract/client.ts'
import {
  createExternalAuthClient,
  deleteExternalAuthClient,
  listExternalAuthClients,
} from '@pennant/contract/external-auth.ts'
import { createPage, deletePage, listAdminPages } from '@pennant/contract/pages.ts'
import type { RequestOf } from '@pennant/contract/client.ts'
import { xssPayloads } from './payloads.ts'
import type { Permission } from '@pennant/contract/permissions.ts'
import type { Secret } from './roles.ts'

const ID_PREFIX = 'pennant-selftest-'
export const CLIENT_NAME = 'Pennant self-test'
/** What no cell of a table may begin with. */
export const FORMULA = '=SUM'

export interface SeededClient {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

interface Plan {
  readonly token: string
  readonly run: string
  readonly releaseAt: number
  /** The URL used for files of challenges. */
  readonly fileUrl: string
}

type ChallengeData = RequestOf<typeof putChallengeV2>['body']['data']

function staticFlag(flag: string) {
  return [{ provider: 'flags/static', config: { flag } }]
}

function scoring(secret: string) {
  return { kind: 'dynamic', source: { transport: 'webhook', secret } } as const
}

/** Creates the challenges that the checks attack and those that must stay hidden. */
export async function seedChallenges(call: Client, { token, run, releaseAt, fileUrl }: Plan) {
  const idOf = (name: string) => `${ID_PREFIX}${run}-${name}`
  /** `hidden`, `future` and `absent` have the same length. */
  const ids = {
    open: idOf('open'),
    hidden: idOf('hidden'),
    /** Not released yet. */
    future: idOf('future'),
    /** Never created. */
    absent: idOf('absent'),
    /** Scored by a webhook. */
    scored: idOf('scored'),
    scoredElsewhere: idOf('scored-2'),
    /** With a regular expression, which the check of slow ones replaces. */
    slow: idOf('slow'),
  }
  const flagOf = (name: string) => `flag{${run}-${name}-flag}`
  const flags = { open: flagOf('open'), hidden: flagOf('hidden'), future: flagOf('future') }
  const webhookSecret = `${run}-webhook-secret`

  const put = async (id: string, data: ChallengeData): Promise<void> => {
    const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
    if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(`could not create ${id}: ${saved.kind}`)
  }
  const texts = (name: string) => ({
    name: `${run}-${name}-title`,
    description: `${run}-${name}-description`,
    category: `${run}-${name}-category`,
    author: `${run}-${name}-author`,
    tags: [`${run}-${name}-tag`],
    files: [{ name: `${run}-${name}-file.zip`, url: `${fileUrl}/${run}-${name}-url` }],
    points: { min: 100, max: 500 },
  })
  const markup = xssPayloads.join(' ')
  await put(ids.open, {
    ...texts('open'),
    name: xssPayloads[0] ?? '',
    description: markup,
    category: xssPayloads[1] ?? '',
    author: markup,
    flags: staticFlag(flags.open),
  })
  await put(ids.hidden, { ...texts('hidden'), hidden: true, flags: staticFlag(flags.hidden) })
  await put(ids.future, { ...texts('future'), releaseTime: releaseAt, flags: staticFlag(flags.future) })
  const author = `author;${FORMULA}${run}`
  await put(ids.scored, { ...texts('scored'), author, scoring: scoring(webhookSecret) })
  await put(ids.scoredElsewhere, { ...texts('scored-2'), scoring: scoring(`${webhookSecret}-2`) })
  const pattern = [{ provider: 'flags/regex', config: { pattern: '^flag\\{\\d{20}\\}$' } }]
  await put(ids.slow, { ...texts('slow'), flags: pattern })

  return { ids, flags, webhookSecret, secrets: secretsOf(run, { flags, webhookSecret }) }
}

interface Seeded {
  readonly flags: Readonly<Record<'open' | 'hidden' | 'future', string>>
  readonly webhookSecret: string
}

function secretsOf(run: string, { flags, webhookSecret }: Seeded): Secret[] {
  const permission: Permission = 'challsRead'
  const fields = ['title', 'description', 'category', 'author', 'tag', 'file.zip', 'url']
  const states = { hidden: 'a hidden challenge', future: 'a challenge that is not released' }
  const ofChallenges = Object.entries(states).flatMap(([name, what]) =>
    fields.map((field) => ({
      label: `the ${field} of ${what}`,
      text: `${run}-${name}-${field}`,
      permission,
    })),
  )
  const ofFlags = Object.entries(flags).map(([name, text]) => ({
    label: `the flag of the ${name} challenge`,
    text,
    permission,
  }))
  // Whoever reads it can set any score, so those who read challenges need the permission to write them as well.
  const holder: Permission = 'challsWrite'
  const ofWebhook = { label: 'the secret of a webhook', text: webhookSecret, permission, holder }
  return [...ofChallenges, ...ofFlags, ofWebhook]
}

/** Creates an external-auth client, for the checks of codes and tokens. */
export async function seedClient(call: Client, token: string, redirectUri: string): Promise<SeededClient> {
  const created = await call(createExternalAuthClient, { token, body: { name: CLIENT_NAME, redirectUri } })
  if (created.kind !== 'goodAdminExternalAuthClientCreate')
    throw new Error(`could not create a client: ${created.kind}`)
  return created.data
}

export type SeededPages = Awaited<ReturnType<typeof seedPages>>

/** Creates a draft, which only organisers may see, and a page with markup. Returns their addresses. */
export async function seedPages(call: Client, token: string, run: string) {
  const put = async (name: string, data: { published: boolean; title: string; content: string }) => {
    const slug = `${ID_PREFIX}${run}-${name}`
    const { published, ...text } = data
    const texts = [{ language: 'en', ...text }]
    const saved = await call(createPage, { token, body: { data: { slug, published, place: 'none', texts } } })
    if (saved.kind !== 'goodPageUpdate') throw new Error(`could not create a page: ${saved.kind}`)
    return slug
  }
  const texts = { title: `${run}-draft-title`, content: `${run}-draft-text` }
  const [title = ''] = xssPayloads
  const permission: Permission = 'settingsWrite'
  const secrets = Object.entries(texts).map(([field, text]): Secret => ({
    label: `the ${field} of a draft page`,
    text,
    permission,
  }))
  return {
    draft: await put('draft', { published: false, ...texts }),
    marked: await put('marked', { published: true, title, content: xssPayloads.join('\n\n') }),
    secrets,
  }
}

/** Deletes the challenges, pages and clients of this run and of earlier ones. */
export async function deleteTestContent(call: Client, token: string): Promise<void> {
  const challenges = await call(listAdminChallengesV2, { token })
  for (const { id } of challenges.kind === 'goodAdminChallenges' ? challenges.data : []) {
    if (id.startsWith(ID_PREFIX)) await call(deleteChallenge, { token, params: { id } })
  }
  const pages = await call(listAdminPages, { token })
  for (const { id, slug } of pages.kind === 'goodAdminPages' ? pages.data.pages : []) {
    if (slug.startsWith(ID_PREFIX)) await call(deletePage, { token, params: { id } })
  }
  const clients = await call(listExternalAuthClients, { token })
  for (const { id, name } of clients.kind === 'goodAdminExternalAuthClients' ? clients.data : []) {
    if (name === CLIENT_NAME) await call(deleteExternalAuthClient, { token, params: { id }, query: {} })
  }
}
