import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { createExternalAuthClient } from '@pennant/contract/external-auth.ts'
import { botConfig, botSettings } from '../../server/test/bot-contest.ts'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import type { Member } from '../../server/test/harness.ts'
import { putHostileTeams, putHostileWork, renameTeam } from '../../server/test/hostile-rows.ts'
import { sendJson, startHttpService, type HttpService } from '../../server/test/http-service.ts'
import type { Site } from './harness.ts'
import { foreignHost, hostileTexts } from './hostile-texts.ts'

// A contest in which every user-supplied text is hostile.

export const taskId = (at: number) => `task-${at}`
export const teamId = (at: number) => `10000000-0000-4000-8000-${String(at).padStart(12, '0')}`
/** Runs immediately if it is parsed as an element. */
export const hostileName = hostileTexts[5] ?? ''
export const ownName = `own ${hostileTexts[6]}`
export const sponsorTexts = hostileTexts.slice(0, 12)
/** The maximum length of a name. */
export const contestName = (hostileTexts[0] ?? '').slice(0, 60)
export const clientName = hostileName.slice(0, 100)

const KINDS = ['tcp', 'tcp-ssl', 'http', 'https'] as const
const SECRET = 'secret-of-the-loud-instancer'

/** An instance service with hostile responses. */
export interface HostileInstancer extends HttpService {
  /** The error it returns; null to run instances at hosts with hostile names. */
  refusal: string | null
}

export async function startHostileInstancer(): Promise<HostileInstancer> {
  const loud: { refusal: string | null } = { refusal: null }
  const service = await startHttpService((_asked, response) => {
    if (loud.refusal !== null)
      return sendJson(response, 400, { kind: 'instancerError', message: loud.refusal })
    const endpoints = hostileTexts.map((host, at) => ({ kind: KINDS[at % KINDS.length], host, port: 1337 }))
    const details = { status: 'running', timeLeftMilliseconds: 1_800_000, endpoints }
    sendJson(response, 200, { kind: 'instancerInstanceDetails', ...details })
  })
  return Object.assign(loud, {
    url: service.url,
    asked: service.asked,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  })
}

/** The configuration of such a contest, optionally with a hostile instancer. */
export function hostileConfig(loud?: HostileInstancer): Readonly<Record<string, unknown>> {
  const sponsors = sponsorTexts.map((text) => ({
    name: text,
    icon: `data:image/svg+xml,${encodeURIComponent(text)}`,
    description: text,
    url: `/?${text}`,
  }))
  return {
    ...botConfig,
    defaultInstancer: 'here',
    instancers: {
      here: { name: 'instancers/memory', options: { host: hostileName } },
      ...(loud && { loud: { name: 'instancers/http', options: { apiUrl: loud.url, authToken: SECRET } } }),
    },
    sponsors,
    divisions: { open: hostileName, hostile: hostileTexts[0] },
    defaultDivision: 'open',
    meta: { description: hostileTexts[2] },
  }
}

/** A team with activity everywhere, and an organiser. */
interface Crew {
  readonly own: Member
  readonly admin: Member
}

/** Puts every hostile text into every user-supplied field. */
export async function fillHostile(site: Site): Promise<Crew> {
  const { contest } = site
  const admin = await contest.admin()
  await addTasks(site)
  await addInstanceTasks(site)
  const teams = hostileTexts.map((text, at) => ({
    id: teamId(at),
    name: text,
    statusText: text,
    avatarUrl: `/uploads/${encodeURIComponent(text)}`,
  }))
  await putHostileTeams(contest.db, teams, taskId(1))
  const own = await contest.team('Own Crew')
  await renameTeam(contest.db, own.id, ownName)
  await putHostileWork(contest.db, { teamId: own.id, challengeId: taskId(0), texts: hostileTexts })
  const data = { ctfName: contestName, homeContent: hostileTexts.join('\n\n') }
  const result = await contest.call(updateSettings, { token: admin.token, body: { data } })
  if (!result.kind.startsWith('good')) throw new Error(JSON.stringify(result))
  return { own, admin }
}

/** One challenge per text; the first has a bot with a hostile source. */
async function addTasks({ contest }: Site): Promise<void> {
  for (const [at, text] of hostileTexts.entries()) {
    const inputs = { [text]: { pattern: '.' } }
    const fields = {
      name: text,
      description: `${text}\n\n> [!CONNECTION]\n> ${text}\n\n${text}`,
      category: text,
      author: text,
      files: [{ name: text, url: `/uploads/${'a'.repeat(64)}/${encodeURIComponent(text)}`, size: 1 }],
      ...(at === 0 && { adminBotConfig: { ...botSettings, code: hostileTexts.join('\n'), inputs } }),
    }
    await putChallenge(contest.db, challengeRow(taskId(at), fields as never))
  }
  // An invalid pattern is left to the server, whose error names the input.
  const broken = { ...botSettings, inputs: { [hostileName]: { pattern: '(' } } }
  await putChallenge(contest.db, challengeRow('parrot', { adminBotConfig: broken }))
}

/** `cabin` runs in memory with every text as a port title; `siren` uses the hostile instancer without titles. */
async function addInstanceTasks({ contest }: Site): Promise<void> {
  const ports = hostileTexts.map((_text, at) => ({
    kind: KINDS[at % KINDS.length],
    hostPrefix: `c${at}`,
    containerName: 'a',
    containerPort: 1,
  }))
  const titled = ports.map((port, at) => ({ ...port, title: hostileTexts[at] }))
  const settings = { challengeIntegrationId: '', config: {}, timeoutMilliseconds: 1_800_000 }
  const tasks = {
    cabin: { ...settings, expose: titled },
    siren: { ...settings, instancer: 'loud', expose: ports },
  }
  for (const [id, instancerConfig] of Object.entries(tasks)) {
    await putChallenge(contest.db, challengeRow(id, { name: hostileName, instancerConfig } as never))
  }
}

/** The consent page of a client with a hostile name. */
export async function hostileClient({ contest }: Site, token: string): Promise<string> {
  const body = { name: clientName, redirectUri: `https://${foreignHost}/back` }
  const made = await contest.call(createExternalAuthClient, { token, body })
  if (!('data' in made) || made.data === null || !('id' in (made.data as object))) throw new Error(made.kind)
  const { id } = made.data as { readonly id: string }
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: body.redirectUri,
    state: hostileTexts[0] ?? '',
  })
  return `/external-auth/authorize?${query}`
}
